import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Figure {
  name: string;
  perSecond: number;
  bare: number;
  ratio: number;
  p50: number;
  p99: number;
  processorMs: number;
}

const docs = new URL('../../docs/', import.meta.url);

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, perSecond, bare, ratio, p50, p99, processorMs }) =>
    [
      name,
      perSecond.toFixed(0),
      bare.toFixed(0),
      ratio.toFixed(2),
      p50.toFixed(1),
      p99.toFixed(1),
      processorMs.toFixed(2),
    ].join(' | '),
  );
  return [
    '| Operation | a second | bare limit | ratio | p50 ms | p99 ms | CPU ms each |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Puts a section of docs/performance.md, and its chart, in the place of the last. */
export function publish(engine: string, heading: string, figures: readonly Figure[], memory: string) {
  const file = fileURLToPath(new URL('performance.md', docs));
  const image = `images/performance-${engine}.svg`;
  writeFileSync(fileURLToPath(new URL(image, docs)), chart(figures));
  const section = [`<!-- ${engine} -->`, heading, `![Share of the bare limit](${image})`, table(figures), memory];
  const text = readFileSync(file, 'utf8');
  const place = new RegExp(`<!-- ${engine} -->[\\s\\S]*?<!-- /${engine} -->`);
  writeFileSync(file, text.replace(place, `${section.join('\n\n')}\n\n<!-- /${engine} -->`));
}

/** Each operation as a bar: how much of the bare limit is left. */
function chart(figures: readonly Figure[]): string {
  const [row, left, width] = [28, 420, 820];
  const scale = (width - left - 60) / Math.max(1, ...figures.map(({ ratio }) => Math.min(ratio, 2)));
  const bars = figures.map(({ name, ratio }, index) => {
    const y = 24 + index * row;
    const length = Math.min(ratio, 2) * scale;
    return `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${name}</text>
<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="18" rx="3" fill="#4f46e5"/>
<text x="${(left + length + 6).toFixed(1)}" y="${y + 14}">${ratio.toFixed(2)}</text>`;
  });
  const height = 24 + figures.length * row + 12;
  const one = left + scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#374151">
<title>Share of the bare limit, by operation</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<line x1="${one}" y1="16" x2="${one}" y2="${height - 8}" stroke="#9ca3af" stroke-dasharray="4 4"/>
<text x="${one}" y="12" text-anchor="middle" font-size="11">bare limit</text>
${bars.join('\n')}
</svg>
`;
}
