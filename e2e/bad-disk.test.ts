import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, describe, expect, test } from 'vitest';
import { engine, type TestDatabase, testDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, type Node, serve, storeSales } from './processes.ts';

const run = (command: string, ...args: string[]) => void execFileSync(command, args, { stdio: 'pipe' });

/** What this machine allows a test to do with disks. */
const canLimit = isPossible(() => run('prlimit', `--pid=${process.pid}`, '--fsize=unlimited:'));
const mounts: string[] = [];
const canMount = isPossible(() => run('umount', mounted(`/tmp/store-sales-mount-${process.pid}`, '1m')));
const isRoot = process.getuid?.() === 0;

function isPossible(attempt: () => void) {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** A small separate disk. */
function mounted(dir: string, size: string) {
  mkdirSync(dir, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir);
  mounts.push(dir);
  return dir;
}

afterAll(() => {
  for (const dir of mounts)
    isPossible(() => {
      run('umount', dir);
      rmSync(dir, { recursive: true });
    });
});

interface Disk {
  name: string;
  isPossible: boolean;
  prepare(testDb: TestDatabase): void;
  fill(testDb: TestDatabase, node: Node): void;
  free(testDb: TestDatabase, node: Node): void;
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const ballast = (testDb: TestDatabase) => join(testDb.DATA_DIR, 'ballast');

const disks: Disk[] = [
  {
    name: canMount ? 'a full disk' : 'a full disk (skipped: needs the right to mount)',
    isPossible: canMount,
    prepare: (testDb) => void mounted(testDb.DATA_DIR, '48m'),
    fill(testDb) {
      for (let size = 2 ** 25; size >= 4096; size /= 2)
        while (isPossible(() => writeFileSync(ballast(testDb), Buffer.alloc(size), { flag: 'a' })));
    },
    free: (testDb) => rmSync(ballast(testDb)),
  },
  {
    name: canLimit ? 'files that may not grow' : 'files that may not grow (needs prlimit; left out)',
    isPossible: canLimit,
    prepare() {},
    fill({ DATA_DIR }, { child }) {
      const file = databaseFile(DATA_DIR);
      const size = Math.max(sizeOf(file), sizeOf(`${file}-wal`));
      run('prlimit', `--pid=${child.pid}`, `--fsize=${size + 100_000}:`);
    },
    free: (_place, { child }) => run('prlimit', `--pid=${child.pid}`, '--fsize=unlimited:'),
  },
];

describe.runIf(engine === 'sqlite')('the embedded database', () => {
  for (const disk of disks)
    test.runIf(disk.isPossible)(
      `${disk.name}: writes get 503 and a log line with the reason; reads work, nothing is lost`,
      async () => {
        const testDb = await testDatabase();
        disk.prepare(testDb);
        const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
        const { apiKey, storeId } = await json<{ apiKey: string; storeId: string }>(env, ['demo']);
        const node = await serve(env, ['--no-dispatch']);
        let serial = 0;
        const create = async () => {
          const externalId = `disk-${serial++}`;
          const order = { externalId, items: [{ sku: 'TEA-B-01', quantity: 1 }], notes: 'x'.repeat(4000) };
          return { externalId, ...(await call(node, apiKey, 'POST', '/api/v1/orders', order)) };
        };
        const acknowledged: string[] = [];
        const rejected: string[] = [];
        expect((await create()).status).toBe(201);
        acknowledged.push('disk-0');

        disk.fill(testDb, node);
        while (rejected.length < 20 && serial < 5000) {
          const { status, body, headers, externalId } = await create();
          (status === 201 ? acknowledged : rejected).push(externalId);
          if (status === 201) continue;
          expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
        }
        expect(rejected).toHaveLength(20);
        expect((await call(node, apiKey, 'GET', '/api/v1/orders?limit=1')).status).toBe(200);
        expect((await fetch(`${node.url}/healthz`)).status).toBe(200);

        disk.free(testDb, node);
        await expect.poll(async () => (await create()).status, { timeout: 60_000 }).toBe(201);
        const { stdout } = await node.stop();
        expect(stdout).toMatch(/"msg":"unavailable"/);
        expect(stdout).toMatch(/database or disk is full|disk I\/O error/);

        const db = openDatabase({ dataDir: testDb.DATA_DIR });
        const orders = await db.all<{ external_id: string }>(
          sql`select external_id from orders where store_id = ${storeId} and external_id like 'disk-%'`,
        );
        const stored = new Set(orders.map((order) => order.external_id));
        expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
        expect(rejected.filter((id) => stored.has(id))).toEqual([]);
        expect(await db.one(sql`select integrity_check as found from pragma_integrity_check`)).toEqual({ found: 'ok' });
        await db.close();
        if (!mounts.includes(testDb.DATA_DIR)) await testDb.drop();
      },
    );

  const canLock = canMount || !isRoot;
  const lock = (dir: string) => (isRoot ? run('mount', '-o', 'remount,ro', dir) : chmodSync(dir, 0o555));
  const name = 'a directory that cannot be written: one clear line';
  test.runIf(canLock)(canLock ? name : `${name} (skipped: needs the right to mount)`, async () => {
    const testDb = await testDatabase();
    if (isRoot) mounted(testDb.DATA_DIR, '16m');
    await json(envOf(testDb), ['migrate']);
    lock(testDb.DATA_DIR);
    const inside = { ...envOf(testDb), DATA_DIR: join(testDb.DATA_DIR, 'new') };
    for (const [env, exitCode] of [
      [envOf(testDb), 4],
      [inside, 1],
    ] as const) {
      const { code, stderr, stdout } = await storeSales(env, ['serve']);
      expect([code, stdout]).toEqual([exitCode, '']);
      expect(stderr).toMatch(/^store-sales: .*(DATA_DIR|database).*\n$/);
    }
    if (!isRoot) {
      chmodSync(testDb.DATA_DIR, 0o755);
      await testDb.drop();
    }
  });
});
