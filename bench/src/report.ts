import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Measurement {
  name: string;
  perSecond: number;
  baseline: number;
  ratio: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

const docs = new URL('../../docs/', import.meta.url);

export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ name, perSecond, baseline, ratio, p50, p99, cpuMs }) =>
    [
      name,
      perSecond.toFixed(0),
      baseline.toFixed(0),
      ratio.toFixed(2),
      p50.toFixed(1),
      p99.toFixed(1),
      cpuMs.toFixed(2),
    ].join(' | '),
  );
  return [
    '| Operation | requests/s | baseline/s | ratio | p50 ms | p99 ms | CPU ms per request |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Replaces the engine's section of docs/performance.md, and its chart. */
export function writeToDocs(engine: string, heading: string, measurements: readonly Measurement[], memory: string) {
  const file = fileURLToPath(new URL('performance.md', docs));
  const image = `images/performance-${engine}.svg`;
  writeFileSync(fileURLToPath(new URL(image, docs)), chart(measurements));
  const section = [`<!-- ${engine} -->`, heading, `![Ratio to the baseline](${image})`, table(measurements), memory];
  const text = readFileSync(file, 'utf8');
  const marked = new RegExp(`<!-- ${engine} -->[\\s\\S]*?<!-- /${engine} -->`);
  writeFileSync(file, text.replace(marked, `${section.join('\n\n')}\n\n<!-- /${engine} -->`));
}

/** A bar for each operation: its ratio to the baseline. */
function chart(measurements: readonly Measurement[]): string {
  const [rowHeight, left, width] = [28, 420, 820];
  const scale = (width - left - 60) / Math.max(1, ...measurements.map(({ ratio }) => Math.min(ratio, 2)));
  const bars = measurements.map(({ name, ratio }, index) => {
    const y = 24 + index * rowHeight;
    const length = Math.min(ratio, 2) * scale;
    return `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${name}</text>
<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="18" rx="3" fill="#4f46e5"/>
<text x="${(left + length + 6).toFixed(1)}" y="${y + 14}">${ratio.toFixed(2)}</text>`;
  });
  const height = 24 + measurements.length * rowHeight + 12;
  const one = left + scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#374151">
<title>Ratio to the baseline, by operation</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<line x1="${one}" y1="16" x2="${one}" y2="${height - 8}" stroke="#9ca3af" stroke-dasharray="4 4"/>
<text x="${one}" y="12" text-anchor="middle" font-size="11">baseline</text>
${bars.join('\n')}
</svg>
`;
}

interface Rate {
  untilSeconds: number;
  perSecond: number;
}

/** Creates in a new database over time, each point the mean of ten seconds. */
export function writeRateChart(engine: string, rates: readonly Rate[]) {
  const points = inSteps(rates, 10);
  const [left, top, width, height] = [60, 30, 820, 260];
  const lastSecond = points.at(-1)?.untilSeconds ?? 1;
  const highest = Math.ceil(Math.max(...points.map(({ perSecond }) => perSecond)) / 500) * 500;
  const x = (second: number) => (left + (second / lastSecond) * (width - left - 20)).toFixed(1);
  const y = (rate: number) => (height - 40 - (rate / highest) * (height - 40 - top)).toFixed(1);
  const line = points.map(({ untilSeconds, perSecond }) => `${x(untilSeconds)},${y(perSecond)}`).join(' ');
  const rateMarks = Array.from({ length: highest / 500 + 1 }, (_, index) => index * 500).map(
    (rate) => `<line x1="${left}" y1="${y(rate)}" x2="${width - 20}" y2="${y(rate)}" stroke="#e5e7eb"/>
<text x="${left - 8}" y="${Number(y(rate)) + 4}" text-anchor="end">${rate}</text>`,
  );
  const minuteMarks = Array.from({ length: Math.floor(lastSecond / 60) + 1 }, (_, minute) => minute).map(
    (minute) => `<text x="${x(minute * 60)}" y="${height - 20}" text-anchor="middle">${minute}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#374151">
<title>Orders created in a second, by minutes since the first</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="18">${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}: orders created in a second</text>
${rateMarks.join('\n')}
${minuteMarks.join('\n')}
<text x="${width - 20}" y="${height - 4}" text-anchor="end">minutes</text>
<polyline points="${line}" fill="none" stroke="#4f46e5" stroke-width="2"/>
</svg>
`;
  writeFileSync(fileURLToPath(new URL(`images/new-database-${engine}.svg`, docs)), svg);
}

/** The mean rates of steps of at least this many seconds. */
function inSteps(rates: readonly Rate[], seconds: number): Rate[] {
  const steps: Rate[] = [];
  let [from, count, last] = [0, 0, 0];
  for (const { untilSeconds, perSecond } of rates) {
    count += perSecond * (untilSeconds - last);
    last = untilSeconds;
    if (untilSeconds - from < seconds) continue;
    steps.push({ untilSeconds, perSecond: count / (untilSeconds - from) });
    [from, count] = [untilSeconds, 0];
  }
  return steps;
}
