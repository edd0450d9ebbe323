// All tests that need only Node; with `browser`, those in a browser. Further arguments choose tests.
import { prepare, run } from './prepare.mjs';

await prepare();
const args = process.argv.slice(2);
if (args[0] !== 'browser') await run('', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args]);
else {
  const { findChromium } = await import('./chromium.mjs');
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e', ...args.slice(1)];
  if (findChromium()) await run('', process.execPath, playwright);
  else console.log('No Chromium found, browser tests skipped. Install it or set CHROMIUM_PATH.');
}
