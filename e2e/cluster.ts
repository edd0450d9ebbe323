import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

/** PostgreSQL's programs, which are rarely on the PATH; undefined if not installed. */
function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) =>
    ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
  );
}

/** PostgreSQL and PgBouncer refuse to run as root; use PostgreSQL's own user then. */
function runAs(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

const bin = programs();
export const user = runAs();

/** Whether this machine can run a separate database server for a test. */
export const hasClusters = bin !== undefined && user !== undefined;

export interface Cluster {
  url: string;
  port: number;
  /** Kills all processes at once, like a power failure; written data remains. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Adds a synchronous standby, on the given port or a free one. */
  standby(port?: number): Promise<Cluster>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  drop(): Promise<void>;
}

/** A separate database server in a temporary folder, on its own port. */
export async function cluster(): Promise<Cluster> {
  const folder = newFolder();
  await run('initdb', ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']);
  return started(folder);
}

/** A temporary folder that belongs to PostgreSQL's user. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'store-sales-pg-'));
  if (user?.uid !== undefined) chownSync(folder, user.uid, user.gid as number);
  return folder;
}

const run = (name: string, args: string[]) => postgresProgram(name, args, { ...user, cwd: '/' });

/** Runs one of PostgreSQL's programs to completion. */
export const postgresProgram = (name: string, args: string[], options: object = {}) =>
  promisify(execFile)(join(bin as string, name), args, options);

async function started(folder: string, givenPort?: number): Promise<Cluster> {
  const data = join(folder, 'data');
  const port = givenPort ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    // Commits that do not wait for the disk are lost when the server is killed, as after a power failure.
    'wal_writer_delay=10s',
  ];
  let server: ChildProcess | undefined;

  const self: Cluster = {
    url,
    port,
    async start() {
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
      for (;;) {
        const child = spawn(join(bin as string, 'postgres'), args, { ...user, cwd: '/', stdio: 'ignore' });
        server = child;
        const ended = new Promise((resolve) => child.once('exit', () => resolve('ended')));
        // Fails while a process of the killed server still holds its shared memory.
        if ((await Promise.race([ended, isReady(url)])) !== 'ended') return;
        await sleep(50);
      }
    },
    async kill() {
      const child = server as ChildProcess;
      const others = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      for (const pid of others) killQuietly(Number(pid));
      await gone;
    },
    async standby(standbyPort) {
      const standbyFolder = newFolder();
      const to = join(standbyFolder, 'data');
      await run('pg_basebackup', [
        '-D',
        to,
        '-d',
        `${url}?application_name=standby`,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      ]);
      const follower = await started(standbyFolder, standbyPort);
      appendFileSync(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = '*'\n");
      await ask(url, 'select pg_reload_conf()');
      while (!(await ask(url, "select 1 from pg_stat_replication where sync_state = 'sync'")).length) await sleep(50);
      return follower;
    },
    promote: async () => void (await ask(url, 'select pg_promote(true)')),
    async drop() {
      if (server && server.exitCode === null && server.signalCode === null) await self.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await self.start();
  return self;
}

function killQuietly(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The folder was removed with the first one.
  }
}

async function isReady(url: string) {
  for (;;) {
    try {
      return await ask(url, 'select 1');
    } catch {
      await sleep(50);
    }
  }
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
