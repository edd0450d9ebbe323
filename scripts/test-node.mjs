// Runs a part of the tests under other Node versions, which the npm registry has: node scripts/test-node.mjs 22.14.0 [FILE …].
import { delimiter, join } from 'node:path';
import { fetchNode } from './node.mjs';
import { prepare, run } from './prepare.mjs';

/** Orders over the API, the console and MCP; webhooks; the receivers of the client; the service as it is started. */
const FILES = [
  'packages/server/src/orders/read/field-order.test.ts',
  'packages/server/src/orders/write/grouped-writes.test.ts',
  'packages/server/src/webhooks/dispatch/send.test.ts',
  'packages/client/src',
  'e2e/pooler.test.ts',
];
/** What depends on the driver, and a service that is killed. */
const SQLITE_FILES = [
  'packages/server/src/db/sqlite',
  'packages/server/src/orders/read/field-order.test.ts',
  'packages/server/src/imports',
  'e2e/crash.test.ts',
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
  const bin = fetchNode(version);
  const { TEST_DATABASE_URL: server, ...others } = process.env;
  const env = { ...others, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const test = (engine, chosen, more) =>
    run(
      `tests passed under Node ${version} on ${engine}`,
      join(bin, 'node'),
      ['node_modules/vitest/vitest.mjs', 'run', ...(files.length ? files : chosen)],
      { ...env, ...more },
    );
  await test('PostgreSQL', FILES, { TEST_DATABASE_URL: server });
  await test('SQLite', SQLITE_FILES, {});
}
