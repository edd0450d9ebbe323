import { verify } from '@store-sales/contract';
import { afterAll, expect, test } from 'vitest';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { DAY, HOUR } from '../../time/duration.ts';
import { findEndpoint } from './find-endpoints.ts';
import { rotateSecret } from './rotate-secret.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true', WEBHOOK_RETRY_DELAYS: '1m,5m' } });
const hooks = webhooksOf(service);
const { clock, db, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

test('rotation: requests are signed with both secrets for 24 hours, then with the new one only', async () => {
  const receiver = await startReceiver();
  const { id, storeId, secret: old } = await hooks.endpoint(receiver.url);
  const { secret } = await rotateSecret(services, id);
  expect(secret).not.toBe(old);
  const verdicts = async () => {
    await hooks.record(storeId);
    await dispatcher.idle();
    const got = receiver.received.at(-1);
    const check = async (key: string) =>
      (await verify(got?.body as string, got?.headers['x-service-signature'], key, { now: clock.now })).ok;
    return [await check(old), await check(secret)];
  };
  expect(await verdicts()).toEqual([true, true]);
  clock.now += DAY - 1;
  expect(await verdicts()).toEqual([true, true]);
  clock.now += 1;
  expect(await verdicts()).toEqual([false, true]);
});

test('rotation: every replaced secret is used for 24 hours, even after further rotations', async () => {
  const receiver = await startReceiver();
  const { id, storeId, secret: first } = await hooks.endpoint(receiver.url);
  const secrets = [first];
  const valid = async () => {
    await hooks.record(storeId);
    await dispatcher.idle();
    const got = receiver.received.at(-1);
    const signature = got?.headers['x-service-signature'];
    const checks = secrets.map((key) => verify(got?.body as string, signature, key, { now: clock.now }));
    return (await Promise.all(checks)).map(({ ok }) => ok);
  };
  for (let count = 0; count < 4; count++) {
    secrets.push((await rotateSecret(services, id)).secret);
    clock.now += HOUR;
  }
  expect(await valid()).toEqual([true, true, true, true, true]);
  // A fifth rotation would drop a secret early.
  await expect(rotateSecret(services, id)).rejects.toMatchObject({
    code: 'limit_reached',
    detail: expect.stringContaining(new Date(clock.now + 20 * HOUR).toISOString()),
    params: { limit: 'replaced_secrets', max: 4, until: new Date(clock.now + 20 * HOUR).toISOString() },
  });
  clock.now += 20 * HOUR - 1;
  expect(await valid()).toEqual([true, true, true, true, true]);
  clock.now += 1;
  expect(await valid()).toEqual([false, true, true, true, true]);
  secrets.push((await rotateSecret(services, id)).secret);
  expect(await valid()).toEqual([false, true, true, true, true, true]);
  const stored = JSON.stringify(await db.all(sql`select * from webhook_endpoints where id = ${id}`));
  for (const secret of secrets) expect(stored).not.toContain(secret.slice(6));
  clock.now += DAY;
  expect(await valid()).toEqual([false, false, false, false, false, true]);
});

test('rotation: works with another SECRET_KEY that cannot decrypt the replaced secrets', async () => {
  const receiver = await startReceiver();
  const { id, storeId } = await hooks.endpoint(receiver.url);
  const config = { ...services.config, SECRET_KEY: ['another secret of the tests'] as const };
  const other = { ...services, config };
  for (let count = 0; count < 2; count++) await rotateSecret(services, id);
  for (let count = 0; count < 2; count++) await rotateSecret(other, id);
  expect((await findEndpoint(services, id, storeId)).previousSecretUntil).toBe(clock.now + DAY);
});
