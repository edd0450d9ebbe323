import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../packages/server/bin/store-sales.js', import.meta.url));
const portSharing = fileURLToPath(new URL('./programs/port-sharing.js', import.meta.url));

/** Starts `store-sales serve` in its own process and waits until it listens. */
export async function serve(
  database: { env: Record<string, string> },
  extraEnv: Record<string, string> = {},
  options: string[] = [],
  { processes = 1 }: { processes?: number } = {},
) {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...database.env,
    ...extraEnv,
  };
  const command = [program, 'serve', '--json', ...options];
  if (processes > 1) command.splice(0, 1, portSharing, program, String(processes));
  const child = spawn(process.execPath, command, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Stop the service when the benchmark fails or is interrupted: its dispatcher would keep claiming deliveries.
  process.once('exit', () => child.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve exited with code ${code}`)));
    child.stdout.on('data', (data: Buffer) => {
      const found = /"url":"([^"]+)"/.exec(data.toString());
      if (found) resolve(found[1] as string);
    });
  });
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
}
