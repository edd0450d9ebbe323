import { describe, expect, test } from 'vitest';
import { engine } from '../../../test/database.ts';
import { deadlocksOf } from '../../../test/deadlocks.ts';
import { countBlocked } from '../../../test/lock-wait.ts';
import { startService } from '../../../test/service.ts';
import { readConfig } from '../../config.ts';
import { keyFor, keyId, type SecretKeys, sealer } from '../../secrets.ts';
import { servicesFor } from '../../services.ts';
import { lockEndpoints } from '../../webhooks/dispatch/record-outcomes.queries.ts';
import { addEndpoint } from '../../webhooks/endpoints/edit-endpoints.ts';
import { newSecret, rotateSecret } from '../../webhooks/endpoints/rotate-secret.ts';
import { cursors } from '../lists/cursor.ts';
import { sql } from '../sql.ts';
import { checkSecretKeys, rotateSecrets } from './secret-keys.ts';

const OLD = 'the old key of these tests';
const NEW = 'the new key of these tests';
const OTHER = 'a key that was never used';

/** An installation that uses the old key. */
async function installation() {
  const service = await startService({ env: { SECRET_KEY: OLD, WEBHOOK_ALLOW_INTERNAL: 'true' } });
  const { storeId } = await service.shop();
  const { db } = service;
  const under = (...keys: [string, ...string[]]) =>
    servicesFor({ ...service.config, SECRET_KEY: keys }, db, service.services.log, () => service.clock.now);
  const add = async (keys: SecretKeys) => {
    const url = 'http://127.0.0.1:9/hook';
    return addEndpoint(under(...keys), storeId, { url, events: ['order.created'] });
  };
  const check = (...keys: [string, ...string[]]) => checkSecretKeys(db, keys, service.clock.now);
  const rotate = (keys: SecretKeys, replacement?: () => string) =>
    rotateSecrets(db, keys, service.clock.now, replacement);
  /** All encrypted secrets. */
  const sealed = async () =>
    (
      await db.all<{ secret: string; previous_secret: string | null }>(
        sql`select secret, previous_secret from webhook_endpoints where store_id = ${storeId} order by id`,
      )
    )
      .flatMap(({ secret, previous_secret: previous }) => [secret, previous])
      .filter((text) => text !== null);
  const opened = async (...keys: [string, ...string[]]) => (await sealed()).map(sealer(keys).open);
  const recorded = async () =>
    (await db.all<{ id: string }>(sql`select id from secret_keys`)).map(({ id }) => id).sort();
  return { service, db, storeId, under, add, check, rotate, sealed, opened, recorded };
}

test.runIf(engine === 'postgres')('secrets are rotated while outcomes of deliveries are recorded', async () => {
  const { service, db, under, rotate } = await installation();
  const add = async (storeId: string) =>
    (await addEndpoint(under(OLD), storeId, { url: 'http://127.0.0.1:9/hook', events: ['order.created'] })).id;
  // The endpoint of the later store is the earlier one.
  const [early, late] = [await service.store(), await service.store()];
  const refs = [
    { store_id: late.id, id: await add(late.id) },
    { store_id: early.id, id: await add(early.id) },
  ];
  let working: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await lockEndpoints(tx, refs.slice(0, 1));
    working = [db.transaction((other) => lockEndpoints(other, refs))];
    await expect.poll(() => countBlocked(db)).toBe(1);
    working.push(rotate([NEW, OLD]));
    await expect.poll(() => countBlocked(db)).toBe(2);
  });
  await Promise.all(working);
  expect(await deadlocksOf(db)).toBe(0);
});

describe('a process with another key', () => {
  test('is rejected after another has started, even without secrets in the database', async () => {
    const { check, recorded } = await installation();
    await check(OLD);
    await check(OLD);
    expect(await recorded()).toEqual([keyId(OLD)]);
    await expect(check(OTHER)).rejects.toThrow(/^SECRET_KEY does not match the database/);
    await expect(check(OTHER, NEW)).rejects.toThrow(/^SECRET_KEY does not match/);
    expect(await recorded()).toEqual([keyId(OLD)]);
  });

  test('when many start together with different keys, those with one key succeed', async () => {
    const { check, recorded } = await installation();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => check(index % 2 ? OLD : OTHER)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await recorded()).toHaveLength(1);
  });

  test('the record reveals neither the key nor anything encrypted with it', async () => {
    const { db, check } = await installation();
    await check(OLD);
    const text = JSON.stringify(await db.all(sql`select * from secret_keys`));
    for (const secret of [
      OLD,
      keyFor(OLD, 'sealed secrets').toString('base64url'),
      keyFor(OLD, 'cursors').toString('base64url'),
    ])
      expect(text).not.toContain(secret);
  });
});

describe('rotation', () => {
  test('a new first key is used immediately, and the old one is required until all secrets are rotated', async () => {
    const { add, check, rotate, sealed, opened, recorded } = await installation();
    await check(OLD);
    const first = await add([OLD]);
    await check(OLD, NEW);
    await check(NEW, OLD);
    const second = await add([NEW, OLD]);
    expect((await sealed()).map((text) => text.split('.')[1])).toEqual([keyId(OLD), keyId(NEW)]);
    await expect(check(OLD)).rejects.toThrow(/is missing a key that the database still uses/);
    await expect(check(NEW)).rejects.toThrow(/is missing a key that the database still uses/);
    await check(NEW, OTHER, OLD);

    expect(await rotate([NEW, OLD])).toEqual({ rotated: 1, unchanged: 1 });
    expect(await rotate([NEW, OLD])).toEqual({ rotated: 0, unchanged: 2 });
    expect(await opened(NEW)).toEqual([first.secret, second.secret]);
    expect(await recorded()).toEqual([keyId(NEW)]);
    await check(NEW);
    await expect(check(OLD)).rejects.toThrow(/does not match/);
  });

  test('includes previous secrets that still sign', async () => {
    const { add, under, rotate, sealed, opened } = await installation();
    const first = await add([OLD]);
    const { secret } = await rotateSecret(under(OLD), first.id);
    expect(await rotate([NEW, OLD])).toEqual({ rotated: 2, unchanged: 0 });
    expect(await sealed()).toHaveLength(2);
    expect(await opened(NEW)).toEqual([secret, first.secret]);
  });

  test('includes the secrets that were replaced within 24 hours', async () => {
    const { service, add, check, rotate, under } = await installation();
    await check(OLD);
    const { id } = await add([OLD]);
    const first = await rotateSecret(under(OLD), id);
    await rotateSecret(under(OLD), id);
    await rotateSecret(under(OLD), id);
    expect((await rotate([NEW, OLD])).rotated).toBe(3);
    await check(NEW);
    const [row] = await service.db.all<{ older_secrets: string }>(sql`select older_secrets from webhook_endpoints`);
    const older = JSON.parse(sealer([NEW]).open(row?.older_secrets as string)) as { secret: string }[];
    expect(older.map(({ secret }) => secret)).toContain(first.secret);
  });

  test('includes the secrets of codes; one that no key decrypts is cleared, not replaced', async () => {
    const { service, rotate, check } = await installation();
    const { id } = await service.owner();
    await check(OLD);
    const secretOf = async () =>
      (await service.db.one<{ secret: string | null }>(sql`select secret from code_generators where owner_id = ${id}`))
        ?.secret;
    await service.db.run(
      sql`insert into code_generators (owner_id, id, secret, last_step, created_at)
          values (${id}, ${id}, ${sealer([OLD]).seal('ABC')}, 0, 0)`,
    );
    expect(await rotate([NEW, OLD])).toEqual({ rotated: 1, unchanged: 0 });
    expect(sealer([NEW]).open((await secretOf()) as string)).toBe('ABC');
    await rotate([OTHER], newSecret);
    expect(await secretOf()).toBeNull();
  });

  test('works while endpoints are added and their secrets replaced', async () => {
    const { service, add, check, rotate, under, sealed, opened } = await installation();
    await check(OLD);
    const { db } = service;
    const { id, secret } = await add([OLD]);
    const copies = Array.from({ length: 450 }, (_, index) => `${id.slice(0, -6)}${String(index).padStart(6, '0')}`);
    for (const copy of copies)
      await db.run(
        sql`insert into webhook_endpoints (store_id, id, url, events, secret, subscribed_seq, created_at)
            select store_id, ${copy}, url, events, secret, subscribed_seq, created_at from webhook_endpoints where id = ${id}`,
      );
    let isDone = false;
    const replaced: string[] = [];
    const writing = (async () => {
      for (let index = 0; !isDone; index++) {
        const created = await rotateSecret(under(NEW, OLD), copies[(index * 37) % copies.length] as string);
        replaced.push(created.secret);
      }
    })();
    const outcome = await rotate([NEW, OLD]).finally(() => {
      isDone = true;
    });
    await writing;
    expect(outcome.rotated).toBeGreaterThan(0);
    const texts = await sealed();
    expect(texts.filter((text) => !text.startsWith(`v2.${keyId(NEW)}.`))).toEqual([]);
    const found = new Set(await opened(NEW));
    expect([secret, replaced.at(-1)].filter((text) => text && !found.has(text))).toEqual([]);
  });

  test('after a key is lost, unreadable secrets are replaced only with --replace-unreadable', async () => {
    const { add, check, rotate, opened, recorded } = await installation();
    await check(OLD);
    await add([OTHER]);
    const readable = await add([OLD]);
    await expect(rotate([NEW, OLD])).rejects.toThrow(/1 cannot be decrypted with SECRET_KEY/);
    expect(await recorded()).toEqual([keyId(OLD), keyId(NEW)].sort());
    await expect(rotate([NEW])).rejects.toThrow(/is missing a key/);
    expect(await rotate([NEW, OLD], newSecret)).toEqual({ rotated: 1, unchanged: 1 });
    expect((await opened(NEW))[1]).toBe(readable.secret);
    await check(NEW);
    // Only the new key is left.
    expect(await rotate([OTHER], newSecret)).toEqual({ rotated: 2, unchanged: 0 });
    await check(OTHER);
  });
});

describe('signatures', () => {
  test('cursors are written with the newest key and read with any that is listed', () => {
    const scope = { resource: 'orders', storeId: 's', order: 'createdAt:asc' } as const;
    const old = cursors([OLD]).write(scope, [1, 2]);
    const both = cursors([NEW, OLD]);
    expect(both.read(scope, old)).toEqual([1, 2]);
    expect(cursors([NEW]).read(scope, both.write(scope, [3, 4]))).toEqual([3, 4]);
    expect(() => cursors([NEW]).read(scope, old)).toThrow(/cursor is damaged/);
  });
});

describe('SECRET_KEY', () => {
  const keys = (value: string) => readConfig({ SECRET_KEY: value }).SECRET_KEY;
  test('contains one key or several, newest first', () => {
    expect(keys(OLD)).toEqual([OLD]);
    expect(keys(`${NEW}, ${OLD}`)).toEqual([NEW, OLD]);
  });
  test('a comma inside a key is escaped with a backslash', () =>
    expect(keys('a key\\, with a comma')).toEqual(['a key, with a comma']));
  test.each(['short', `${NEW},short`, `${NEW},`, `,${NEW}`])('%s is rejected, and not shown', (value) => {
    expect(() => keys(value)).toThrow(/^SECRET_KEY .*at least 16 random characters/);
    expect(() => keys(value)).not.toThrow(new RegExp(NEW));
  });
});
