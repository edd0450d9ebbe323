import { prepare, run } from './prepare.mjs';

await prepare();
const args = process.argv.slice(2);
await run('', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args]);

// On PostgreSQL, CI runs those browser tests that depend on the engine.
if (!args.length && !process.env.TEST_DATABASE_URL) {
  const { findChromium } = await import('./chromium.mjs');
  if (findChromium()) await run('', process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e']);
  else console.log('No Chromium found, browser tests skipped. Install it or set CHROMIUM_PATH.');
}
