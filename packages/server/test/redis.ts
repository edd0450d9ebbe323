import { spawn, spawnSync } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server of its own, on a free port, that stores nothing. */
export async function startRedis() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
  return {
    port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.once('close', () => resolve());
        server.kill('SIGKILL');
      }),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
