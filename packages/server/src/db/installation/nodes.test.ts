import { beforeEach, describe, expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import type { Database } from '../database.ts';
import {
  type Migration,
  migrate,
  OlderNodesAlive,
  released,
  SCHEMA_VERSION,
  SchemaTooNew,
  versionOf,
} from '../migrations/migrate.ts';
import { sql } from '../sql.ts';
import { heartbeat, newNode } from './nodes.ts';

const additive: Migration = { name: 'additive', statements: () => ['create table added (id integer primary key)'] };
const breaking: Migration = {
  name: 'breaking',
  isBreaking: true,
  statements: () => ['create table broken (id integer primary key)'],
};
const breakingBatch: Migration = {
  name: 'breaking-batch',
  isBreaking: true,
  batch: () => ({ table: 'stores', primaryKey: ['id'], set: "name = 'new'", isPending: "name <> 'new'" }),
};

/** The program before and after an upgrade: the newer one knows more migrations. */
const programWith = (...more: Migration[]) => ({ migrations: [...released, ...more] });

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService();
});

const nodes = () => service.db.all<{ id: string }>(sql`select id from nodes order by id`);
const startOld = async () => {
  const node = newNode(SCHEMA_VERSION, '1.0.0');
  await migrate(service.db, { node });
  return node;
};

describe('a newer schema', () => {
  test('with additive migrations leaves older nodes ready, and lets them start', async () => {
    expect(await migrate(service.db, programWith(additive))).toEqual(['additive']);
    expect((await service.get('/readyz')).status).toBe(200);
    expect(await migrate(service.db)).toEqual([]);
    expect(await versionOf(service.db)).toBe(SCHEMA_VERSION + 1);
  });

  test('with a breaking migration makes older nodes unready, and prevents them from starting', async () => {
    expect(await migrate(service.db, programWith(additive, breaking))).toEqual(['additive', 'breaking']);
    const { status, body } = await service.get('/readyz');
    expect([status, body.detail]).toEqual([503, expect.stringContaining(`version ${SCHEMA_VERSION + 2} or later`)]);
    await expect(migrate(service.db)).rejects.toThrow(SchemaTooNew);
    // This one knows only the first of the two.
    await expect(migrate(service.db, programWith(additive))).rejects.toThrow(SchemaTooNew);
    expect(await migrate(service.db, programWith(additive, breaking))).toEqual([]);
  });

  test('with an additive migration after a breaking one is accepted by programs that know the breaking one', async () => {
    const later: Migration = { name: 'later', statements: () => ['create table later (id integer primary key)'] };
    await migrate(service.db, programWith(breaking, later));
    expect(await migrate(service.db, programWith(breaking))).toEqual([]);
    await expect(migrate(service.db)).rejects.toThrow(SchemaTooNew);
  });

  test('an older schema is not ready', async () => {
    await service.db.run(sql`delete from schema_migrations where version = ${SCHEMA_VERSION}`);
    expect((await service.get('/readyz')).status).toBe(503);
  });
});

describe.each([breaking, breakingBatch])('the migration $name', (migration) => {
  test('does not run while an older node is alive, and names it', async () => {
    const old = await startOld();
    const rejected = await migrate(service.db, programWith(migration)).catch((error) => error);
    expect(rejected).toBeInstanceOf(OlderNodesAlive);
    expect(rejected.message).toContain(`${old.id} (program 1.0.0, schema version ${SCHEMA_VERSION}`);
    expect(rejected.message).toContain(migration.name);
    expect(await versionOf(service.db)).toBe(SCHEMA_VERSION);
    expect((await service.get('/readyz')).status).toBe(200);
  });

  test('runs once the older node has not been seen for 30 s', async () => {
    await startOld();
    await service.db.run(sql`update nodes set last_seen_at = last_seen_at - 31000`);
    expect(await migrate(service.db, programWith(migration))).toEqual([migration.name]);
  });

  test('runs while nodes of its own version are alive', async () => {
    const node = newNode(SCHEMA_VERSION + 1, '2.0.0');
    expect(await migrate(service.db, { ...programWith(migration), node })).toEqual([migration.name]);
    expect(await migrate(service.db, programWith(migration))).toEqual([]);
    expect(await nodes()).toEqual([{ id: node.id }]);
  });

  test('and an older node that starts at the same time: only one succeeds', async () => {
    const [old, upgraded] = await Promise.allSettled([startOld(), migrate(service.db, programWith(migration))]);
    expect([old.status, upgraded.status].sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('programs that start at the same moment on an empty database all start', async () => {
  for (let round = 0; round < 60; round++) {
    await service.db.run(sql`drop table schema_migrations`);
    await Promise.all(Array.from({ length: 10 }, () => migrate(service.db, { migrations: [] })));
  }
});

test('older programs do not start after an interrupted breaking migration', async () => {
  for (let index = 0; index < 3; index++) await service.shop();
  let left = 4;
  const cutOff: Database = {
    ...service.db,
    script: (work) =>
      service.db.script(async (exec, tx) => {
        await work(exec, tx);
        if (left-- === 0) throw new Error('cut off');
      }),
  };
  const options = { ...programWith(breakingBatch), batchSize: 1 };
  await expect(migrate(cutOff, options)).rejects.toThrow('cut off');
  const changed = await service.db.all(sql`select id from stores where name = 'new'`);
  expect([changed.length > 0, changed.length < 3]).toEqual([true, true]);
  await expect(startOld()).rejects.toThrow(SchemaTooNew);
  expect((await service.get('/readyz')).status).toBe(503);
  expect(await migrate(service.db, options)).toEqual(['breaking-batch']);
  expect(await service.db.all(sql`select id from stores where name <> 'new'`)).toEqual([]);
});

describe('the heartbeat', () => {
  test('updates the row, and deletes it when stopped', async () => {
    const node = await startOld();
    await service.db.run(sql`update nodes set last_seen_at = 0`);
    let beats = 0;
    const running = heartbeat(service.db, node, {
      everyMs: 5,
      onBeat: async () => void beats++,
      onError: () => {},
    });
    await expect.poll(() => beats).toBeGreaterThan(1);
    const [row] = await service.db.all<{ last_seen_at: number }>(sql`select last_seen_at from nodes`);
    expect(Math.abs(Number(row?.last_seen_at) - Date.now())).toBeLessThan(60_000);
    await running.stop();
    expect(await nodes()).toEqual([]);
  });

  test('inserts a deleted row again, and reports errors', async () => {
    const node = await startOld();
    await service.db.run(sql`delete from nodes`);
    const errors: unknown[] = [];
    const running = heartbeat(service.db, node, {
      everyMs: 5,
      onBeat: () => Promise.reject(new Error('too new')),
      onError: (error) => errors.push(error),
    });
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(await nodes()).toEqual([{ id: node.id }]);
    await running.stop();
  });
});
