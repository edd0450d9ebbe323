import { prepare, run } from './prepare.mjs';

await prepare();
await run('', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
