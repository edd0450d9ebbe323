// Runs a part of the tests under other Node versions, which the npm registry has: node scripts/test-node.mjs 22 24 [FILE …].
// On PostgreSQL, because the SQLite driver would have to be compiled for each version.
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

/** Orders over the API, the console and MCP; webhooks; the receivers of the client; the service as it is started. */
const FILES = [
  'packages/server/src/orders/field-order.test.ts',
  'packages/server/src/orders/grouped-writes.test.ts',
  'packages/server/src/webhooks/dispatch/send.test.ts',
  'packages/client/src',
  'e2e/pooler.test.ts',
];

if (!process.env.TEST_DATABASE_URL) {
  console.error('Set TEST_DATABASE_URL to a PostgreSQL server.');
  process.exit(1);
}
const args = process.argv.slice(2);
const versions = args.filter((arg) => /^[\d.]+$/.test(arg));
const files = args.filter((arg) => !versions.includes(arg));
await prepare();
for (const version of versions) {
  const dir = join(root, '.cache/node', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const bin = join(dir, 'node_modules', name, 'bin');
  mkdirSync(dir, { recursive: true });
  const install = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
  if (!existsSync(bin)) await run(`Node ${version} installed`, 'npm', install);
  const tests = ['node_modules/vitest/vitest.mjs', 'run', ...(files.length ? files : FILES)];
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  await run(`tests passed under Node ${version}`, join(bin, 'node'), tests, env);
}
