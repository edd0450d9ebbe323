import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchPlace } from './place.ts';

const program = fileURLToPath(new URL('../../packages/server/bin/store-sales.js', import.meta.url));
const sharing = fileURLToPath(new URL('./programs/port-sharing.js', import.meta.url));

/** Starts the service as an operator would, and waits until it is ready. */
export async function serve(
  place: BenchPlace,
  extra: Record<string, string> = {},
  options: string[] = [],
  { processes = 1 }: { processes?: number } = {},
) {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...place.env,
    ...extra,
  };
  const command = [program, 'serve', '--json', ...options];
  if (processes > 1) command.splice(0, 1, sharing, program, String(processes));
  const child = spawn(process.execPath, command, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Should the benchmark fail or be stopped, it leaves nothing running: a dispatcher would go on taking deliveries.
  process.once('exit', () => child.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout.on('data', (data: Buffer) => {
      const found = /"url":"([^"]+)"/.exec(data.toString());
      if (found) resolve(found[1] as string);
    });
  });
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
