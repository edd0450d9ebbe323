import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createOwner } from '../packages/server/dist/accounts/owners.js';
import { createStore } from '../packages/server/dist/accounts/stores.js';
import { openDatabase } from '../packages/server/dist/db/open.js';
import { createKey } from '../packages/server/dist/keys/keys.js';

export const PASSWORD = 'correct horse';

/** The real server in a process of its own, on an empty database that goes with it. */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'store-sales-e2e-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start-server.mjs')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, DATABASE_URL: '', PUBLIC_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url, setupPath } = await firstLine(child);
  const db = openDatabase({ dataDir });
  let serial = 0;

  return {
    url,
    setupPath,
    db,
    owner: (name = 'Anna Ivanova') =>
      createOwner(db, { email: `owner${++serial}@example.test`, name, password: PASSWORD }, Date.now()),
    store: (ownerId: string, name = 'Tea and Coffee', plan = 'optimal') =>
      createStore(db, { ownerId, name, plan }, Date.now()),
    key: (storeId: string, name: string, life?: number) =>
      createKey(db, { storeId, name, rights: ['orders:read', 'orders:write'], life }, Date.now()),
    async stop() {
      await db.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

async function firstLine(child: ChildProcess): Promise<{ url: string; setupPath: string }> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the server ended before it listened');
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return JSON.parse(line);
}
