// The server from its sources, started again when one changes, and the console with hot reloading.
import { spawn } from 'node:child_process';
import { prepare, root } from './prepare.mjs';

await prepare();
const node = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
const children = [
  node(
    ...['--watch', '--experimental-transform-types', '--disable-warning=ExperimentalWarning'],
    ...['--conditions=store-sales:source', 'packages/server/src/cli/quickstart.ts'],
  ),
  node('node_modules/vite/bin/vite.js', 'packages/console'),
];
const stop = () => {
  for (const child of children) child.kill();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
