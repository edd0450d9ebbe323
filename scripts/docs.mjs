// Writes the parts of the documents that are made from code; with --check only tells whether they are current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const check = process.argv.includes('--check');
const { variables } = await import('../packages/server/dist/config.js');

const configuration = [
  '| Variable | Default | Meaning |',
  '|---|---|---|',
  ...Object.entries(variables).map(([name, variable]) => {
    return `| \`${name}\` | ${variable.default === undefined ? '' : `\`${variable.default}\``} | ${variable.about} |`;
  }),
].join('\n');

const parts = [{ file: 'docs/operating.md', name: 'configuration', text: configuration }];

let stale = false;
for (const { file, name, text } of parts) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const marks = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
  if (!marks.test(before)) throw new Error(`${file} has no marks for ${name}`);
  const after = before.replace(marks, (_, open, close) => `${open}\n${text}\n${close}`);
  if (after === before) continue;
  if (check) {
    console.error(`${file}: the part "${name}" is not current; run node scripts/docs.mjs`);
    stale = true;
  } else writeFileSync(path, after);
}
if (stale) process.exit(1);
console.log('documents: parts made from code are current');
