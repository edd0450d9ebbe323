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
