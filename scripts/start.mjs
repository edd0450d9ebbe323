import { prepare, root } from './prepare.mjs';

await prepare();
// Without the request log, so that the printed URL and login stay visible.
process.env.LOG_LEVEL ??= 'warn';
process.chdir(root);
await import('../packages/server/program/quickstart.js');
