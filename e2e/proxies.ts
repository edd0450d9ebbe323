import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, newFolder, user } from './cluster.ts';

/** Debian installs them outside of the PATH of ordinary users. */
const programOf = (name: string) =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

const haproxyProgram = programOf('haproxy');
const pgbouncerProgram = programOf('pgbouncer');
export const hasHaproxy = haproxyProgram !== undefined;
export const hasPgbouncer = pgbouncerProgram !== undefined && user !== undefined;

export interface Proxy {
  port: number;
  close(): Promise<void>;
}

/** Runs a program with a configuration file until it is closed, and waits until it accepts connections. */
async function started(program: string, configOf: (port: number) => string, argsOf: (file: string) => string[]) {
  const folder = newFolder();
  const port = await freePort();
  const file = join(folder, 'config');
  writeFileSync(file, configOf(port));
  const child = spawn(program, argsOf(file), { ...user, cwd: '/', stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    port,
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** PgBouncer in front of a server. */
export const pgbouncer = (serverPort: number, mode: 'transaction' | 'statement', poolSize: number): Promise<Proxy> =>
  started(
    pgbouncerProgram as string,
    (port) => `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
`,
    (file) => ['-q', file],
  );

/** The messages of the PostgreSQL protocol with which HAProxy asks a server whether it is a standby. */
const startup = Buffer.from('\0\0\0\x17\0\x03\0\0user\0postgres\0\0', 'latin1');
const question = Buffer.from('Q\0\0\0\x1fselect pg_is_in_recovery()\0', 'latin1');
const isPrimary = Buffer.from('D\0\0\0\x0b\0\x01\0\0\0\x01f', 'latin1');

/** HAProxy in front of several servers, of which it uses the primary, as Patroni's guide sets it up. */
export async function haproxy(serverPorts: readonly number[]): Promise<Proxy> {
  const statsPort = await freePort();
  const proxy = await started(
    haproxyProgram as string,
    (port) => `global
  stats socket ipv4@127.0.0.1:${statsPort}
defaults
  mode tcp
  timeout connect 2s
  timeout client 10m
  timeout server 10m
listen primary
  bind 127.0.0.1:${port}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startup.toString('hex')}
  tcp-check expect binary ${Buffer.from('Z').toString('hex')}
  tcp-check send-binary ${question.toString('hex')}
  tcp-check expect binary ${isPrimary.toString('hex')}
  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${serverPorts.map((serverPort) => `  server s${serverPort} 127.0.0.1:${serverPort} check`).join('\n')}
`,
    (file) => ['-db', '-f', file],
  );
  // Until the first check it takes every server for the primary.
  while (!(await ask(statsPort, 'show stat')).includes(',DOWN,')) await sleep(50);
  return proxy;
}

/** Sends a line and reads the response. */
async function ask(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\n`));
  let text = '';
  for await (const data of socket) text += data;
  return text;
}
