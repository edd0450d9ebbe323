import { prepare, root } from './prepare.mjs';

await prepare();
// Requests are not interesting at a first look; an operator runs `store-sales serve`, which logs them.
process.env.LOG_LEVEL ??= 'warn';
process.chdir(root);
await import('../packages/server/program/quickstart.js');
