import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwner } from '../packages/server/dist/accounts/owners.js';
import { createStore } from '../packages/server/dist/accounts/stores.js';
import { openDatabase } from '../packages/server/dist/db/open.js';
import { createKey } from '../packages/server/dist/keys/keys.js';
import { serve } from './processes.ts';

export const PASSWORD = 'correct horse';

/** The real server in a process of its own, on an empty database that goes with it. */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'store-sales-e2e-'));
  const node = await serve({ PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { url, setupUrl = '' } = node;
  const db = openDatabase({ dataDir });
  let serial = 0;

  return {
    url,
    setupUrl,
    db,
    owner: (name = 'Anna Ivanova') =>
      createOwner(db, { email: `owner${++serial}@example.test`, name, password: PASSWORD }, Date.now()),
    store: (ownerId: string, name = 'Tea and Coffee', plan = 'optimal') =>
      createStore(db, { ownerId, name, plan }, Date.now()),
    key: (storeId: string, name: string, life?: number) =>
      createKey(db, { storeId, name, rights: ['orders:read', 'orders:write'], life }, Date.now()),
    async stop() {
      await db.close();
      await node.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
