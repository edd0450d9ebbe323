// Writes the generated parts of the documents; with --check only reports whether they are up to date.
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

const { previews } = await import('../packages/server/dist/mail/previews.js');
const mails = previews()
  .map(({ title, subject, text }) => `### ${title}\n\n\`\`\`text\n${subject}\n\n${text.trim()}\n\`\`\``)
  .join('\n\n');

const parts = [
  { file: 'docs/operating.md', name: 'configuration', text: configuration },
  { file: 'docs/mail.md', name: 'mails', text: mails },
];

let stale = false;
for (const { file, name, text } of parts) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const markers = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
  if (!markers.test(before)) throw new Error(`${file} has no markers for ${name}`);
  const after = before.replace(markers, (_, open, close) => `${open}\n${text}\n${close}`);
  if (after === before) continue;
  if (check) {
    console.error(`${file}: the section "${name}" is out of date; run node scripts/docs.mjs`);
    stale = true;
  } else writeFileSync(path, after);
}
if (stale) process.exit(1);
console.log('documents: generated sections are up to date');
