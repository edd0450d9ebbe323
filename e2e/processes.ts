import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../packages/server/test/database.ts';

export const program = fileURLToPath(new URL('../packages/server/bin/store-sales.js', import.meta.url));

export type Env = Record<string, string>;

/** The environment of an installation, without variables of the test's own environment. */
export function envOf(testDb: TestDatabase, extra: Env = {}): Env {
  return {
    PATH: process.env.PATH ?? '',
    // Where scripts/test-node.mjs has installed the SQLite driver of another Node version.
    ...(process.env.NODE_PATH && { NODE_PATH: process.env.NODE_PATH }),
    DATA_DIR: testDb.DATA_DIR,
    ...(testDb.DATABASE_URL && {
      DATABASE_URL: testDb.DATABASE_URL,
      SECRET_KEY: 'a secret of the tests: 32 characters',
    }),
    PORT: '0',
    LOG_LEVEL: 'error',
    // The demo store has events of three months, and the checks want each order's.
    EVENT_DAYS: '3650',
    ...extra,
  };
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command to completion. */
export function storeSales(env: Env, args: readonly string[], input = ''): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' });
  child.stdin.end(input);
  return finished(child);
}

/** The same with `--json`: returns the result, or throws with the output. */
export async function json<Result>(env: Env, args: readonly string[], input = ''): Promise<Result> {
  const { code, stdout, stderr } = await storeSales(env, [...args, '--json'], input);
  if (code !== 0) throw new Error(`store-sales ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Result;
}

function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

export interface Process {
  child: ChildProcess;
  ended: Promise<Finished>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<Finished>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Finished>;
}

export interface Node extends Process {
  url: string;
  /** Where the first owner is created, while there is none. */
  setupUrl?: string;
}

export function start(env: Env, args: readonly string[]): Process {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' });
  const ended = finished(child);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { child, ended, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

/** Waits for the line of JSON with which the process reports that it is ready. */
function ready<Report>({ child, ended }: Process, beginning: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (data) => {
      text += data;
      const line = text.split('\n').find((line) => line.startsWith(beginning) && line.endsWith('}'));
      if (line) resolve(JSON.parse(line));
    });
    ended.then(({ code, stderr }) => reject(new Error(`${child.spawnargs.at(2)} ended with ${code}: ${stderr}`)));
  });
}

/** Starts `dispatch` and waits until it delivers. */
export async function dispatch(env: Env): Promise<Process> {
  const one = start(env, ['dispatch', '--json']);
  await ready(one, '{"dispatching"');
  return one;
}

/** Starts `serve` and waits until it is ready. */
export async function serve(env: Env, args: readonly string[] = []): Promise<Node> {
  const node = start(env, ['serve', '--json', ...args]);
  return { ...(await ready<{ url: string; setupUrl?: string }>(node, '{"url":')), ...node };
}

/** Starts `listen`; `line` waits for the next line that it prints. */
export function startListening(env: Env, args: readonly string[]) {
  const process = start(env, ['listen', '--json', ...args]);
  const lines = createInterface({ input: process.child.stdout as Readable })[Symbol.asyncIterator]();
  return { ...process, line: async () => (await lines.next()).value as string };
}

/** Creates an owner, a store on the Optimal plan and a key with all rights on the command line. */
export async function shop(env: Env) {
  const email = `owner${Date.now()}${Math.random()}@example.test`;
  await json(env, ['owner', 'create', '--email', email, '--name', 'Anna', '--password-stdin'], 'correct horse\n');
  const store = await json<{ id: string; name: string; plan: string }>(env, [
    'store',
    'create',
    '--owner',
    email,
    '--name',
    'Tea',
    '--plan',
    'optimal',
  ]);
  const rights = 'orders:read,orders:write,products:read,customers:read,references:read,references:write';
  const key = await json<{ id: string; key: string }>(env, [
    'key',
    'create',
    '--store',
    store.id,
    '--name',
    'k',
    '--rights',
    rights,
  ]);
  return { email, storeId: store.id, keyId: key.id, key: key.key };
}

/** Adds an endpoint for all events. */
export const addHook = (env: Env, storeId: string, url: string) =>
  json<{ id: string; secret: string }>(env, [
    ...['webhook', 'add', '--store', storeId, '--url', url],
    ...['--events', 'order.created,order.status_changed,order.payment_status_changed'],
  ]);

export async function call(node: { url: string }, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(node.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as any, headers: response.headers };
}
