/** Runs several `serve` processes on one port with `node:cluster`. */
import cluster from 'node:cluster';

const [program, count, ...args] = process.argv.slice(2) as [string, string, ...string[]];
cluster.setupPrimary({ exec: program, args });
for (let index = 0; index < Number(count); index++) cluster.fork();
cluster.on('exit', () => {
  if (!Object.keys(cluster.workers ?? {}).length) process.exit();
});
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  });
