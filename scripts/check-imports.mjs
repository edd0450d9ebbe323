// Holds the directions of imports in the server: ARCHITECTURE.md draws them, this keeps them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { root } from './prepare.mjs';

const source = join(root, 'packages/server/src');

/** What each folder may use besides itself and the small files beside the folders (`refusal.ts`, `instant.ts`, …). */
const mayUse = {
  db: [],
  history: ['db'],
  keys: ['db', 'history'],
  imports: ['db'],
  references: ['db', 'history'],
  catalog: ['db', 'history', 'imports'],
  customers: ['db', 'imports'],
  webhooks: ['db', 'history'],
  accounts: ['db', 'history', 'references', 'webhooks'],
  orders: ['db', 'catalog', 'customers', 'references', 'webhooks'],
  apidocs: ['http'],
  console: [
    'db',
    'history',
    'imports',
    'http',
    'accounts',
    'keys',
    'references',
    'catalog',
    'customers',
    'orders',
    'webhooks',
  ],
  demo: ['db', 'accounts', 'keys', 'references', 'catalog', 'customers', 'orders'],
  http: ['db', 'keys'],
  cli: [
    'db',
    'imports',
    'accounts',
    'keys',
    'references',
    'catalog',
    'customers',
    'orders',
    'webhooks',
    'demo',
    'console',
  ],
};
const beside =
  /^(limits|names|accept-fairness|refusal|instant|duration|secrets|services|store-limit|actor|paths|config|app|main)\.ts$/;

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const faults = [];
const graph = new Map();

for (const file of files) {
  const text = readFileSync(join(source, file), 'utf8');
  const fault = (words) => faults.push(`${file}: ${words}`);
  const folder = file.includes('/') ? file.split('/')[0] : '';
  const edges = [];
  if (folder && !mayUse[folder]) fault(`the folder ${folder} is not in the table of scripts/check-imports.mjs`);

  for (const [, type, from] of text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)';/gms)) {
    if (from === 'undici' && !type && file !== 'webhooks/dispatch/send.ts')
      fault('only webhooks/dispatch/send.ts opens outgoing connections');
    if (!from.startsWith('.')) continue;
    const target = normalize(join(dirname(file), from)).replaceAll('\\', '/');
    if (!type) edges.push(target);
    const other = target.includes('/') ? target.split('/')[0] : '';
    // A routes file is typed by what binds it and by whom it serves.
    if (type && file.endsWith('routes.ts') && (other === 'http' || other === 'keys')) continue;
    if (!other && !beside.test(target)) fault(`unknown file ${target} beside the folders`);
    if (folder && other && other !== folder && !mayUse[folder]?.includes(other))
      fault(`may not use ${other} (${target})`);
    if (target.endsWith('.queries.ts') && other !== folder) fault(`${target} is private to its folder`);
    if (target === 'db/sql.ts' && !type && folder !== 'db' && !file.endsWith('.queries.ts'))
      fault('SQL is written in *.queries.ts and db/ only');
  }
  // Not where it stands in a text that is shown, such as an example.
  if (/(?<!\\\$\{)process\.env/.test(text) && file !== 'config.ts') fault('only config.ts reads the environment');
  graph.set(file, edges);
}

const state = new Map();
function visit(file, path) {
  if (state.get(file) === 'done') return;
  if (state.get(file) === 'open') {
    faults.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    return;
  }
  state.set(file, 'open');
  for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
  state.set(file, 'done');
}
for (const file of files) visit(file, []);

if (faults.length) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`imports: ${files.length} files below ${relative(root, source)} keep their directions`);
