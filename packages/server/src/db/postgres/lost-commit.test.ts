import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { engine, isCitus } from '../../../test/database.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { OutcomeUnknown } from '../database.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const { db } = service;

/** Commits of transactions that change this table fail as on a cluster whose worker dies at that moment. */
async function whileCommitsFail(table: string, message: string, work: () => Promise<void>) {
  await db.script(async (exec) => {
    await exec(`create function fail_commit() returns trigger language plpgsql
                as $$ begin raise exception '${message}'; end $$`);
    await exec(`create constraint trigger fail_commit after insert or update on ${table}
                deferrable initially deferred for each row execute function fail_commit()`);
  });
  try {
    await work();
  } finally {
    await db.script((exec) => exec('drop function fail_commit cascade'));
  }
}

describe.runIf(engine === 'postgres' && !isCitus)('a commit that a worker of a cluster did not confirm', () => {
  test.each([
    'could not commit transaction for shard 102008 on at least one active node',
    'could not commit transaction on any active node',
  ])('is an unknown outcome: %s', async (message) => {
    const { key, storeId } = await service.shop();
    await addProduct(service, storeId, { sku: 'TEA' });
    const create = () =>
      service.post('/api/v1/orders', { externalId: 'A-1', items: [{ sku: 'TEA', quantity: 1 }] }, key);
    await whileCommitsFail('orders', message, async () => {
      const replies = await Promise.all([create(), create()]);
      for (const { status, body } of replies)
        expect([status, body.code, body.detail]).toEqual([503, 'unavailable', expect.stringMatching(/may or may not/)]);
    });
    expect((await create()).status).toBe(201);
  });

  test('leaves the outcome of a webhook to the next cycle, which sends nothing twice', async () => {
    const hooks = webhooksOf(service);
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 2);
    const dispatcher = hooks.dispatcher();
    await dispatcher.cycle();
    await receiver.count(2);
    const message = 'could not commit transaction for shard 102008 on at least one active node';
    await whileCommitsFail('attempts', message, () => expect(dispatcher.cycle()).rejects.toThrow(OutcomeUnknown));
    await dispatcher.idle();
    await dispatcher.close();
    expect(await hooks.statuses(id)).toEqual({ delivered: 2 });
    expect(receiver.received).toHaveLength(2);
  });
});
