import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../../test/certificates.ts';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { isCitus } from '../../../test/database.ts';
import { startServiceWithMail } from '../../../test/mail.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { mailOutbox } from '../../mail/outbox.ts';
import { DatabaseUnavailable } from '../database.ts';
import { sql } from '../sql.ts';

/** Eight stores with an endpoint each, on two workers, and a way to lose one of the workers. */
async function startCluster() {
  const { server, service, mailer } = await startServiceWithMail({ WEBHOOK_ALLOW_INTERNAL: 'true' });
  const { db, clock } = service;
  const hooks = webhooksOf(service);
  const dispatcher = hooks.dispatcher();
  cleanUpAfter(dispatcher.close);
  const receiver = await startReceiver();
  const [worker] = await db.all<{ id: number; port: number }>(
    sql`select nodeid as id, nodeport as port from pg_dist_node where groupid <> 0 order by groupid`,
  );
  // Not citus_update_node, which crashes Citus 13.2.2.
  const moveWorker = (port?: number) =>
    db.run(sql`update pg_dist_node set nodeport = ${port} where nodeid = ${worker?.id}`);

  const shops = await Promise.all(Array.from({ length: 8 }, () => service.shop()));
  const lost: string[] = [];
  for (const { storeId } of shops) {
    await hooks.endpoint(`${receiver.url}/${storeId}`, { storeId });
    const shard = await db.one<{ port: number }>(
      sql`select nodeport as port from citus_shards
          where shardid = get_shard_id_for_distribution_column('deliveries', ${storeId}::uuid)`,
    );
    if (shard?.port === worker?.port) lost.push(storeId);
  }
  const all = shops.map(({ storeId }) => storeId);

  return {
    service,
    hooks,
    dispatcher,
    mailer,
    shops,
    all,
    lost,
    kept: all.filter((id) => !lost.includes(id)),
    addMail: (storeId: string) =>
      db.transaction(async (tx) =>
        mailOutbox(service.config)?.add(
          tx,
          {
            storeId,
            to: `${storeId}@example.com`,
            language: 'en',
            kind: 'endpoint_disabled',
            params: { store: 'Tea', url: 'https://example.com/hooks' },
            link: 'https://shop.example.com/console',
          },
          clock.now,
        ),
      ),
    mailed: () => all.filter((id) => server.to(`${id}@example.com`).length),
    notified: () => receiver.received.map(({ path }) => path.split('/').at(-1)).sort(),
    async whileLost(work: () => Promise<void>) {
      // Nothing listens there.
      await moveWorker(9);
      try {
        await work();
      } finally {
        await moveWorker(worker?.port);
      }
    },
  };
}

describe.runIf(isCitus && hasOpenssl)('while a worker is lost', () => {
  test('its stores get 503, and the requests, webhooks and mails of the others go on', async () => {
    const cluster = await startCluster();
    const { service, hooks, dispatcher, mailer, shops, all, lost, kept } = cluster;
    expect(lost.length * kept.length).toBeGreaterThan(0);
    for (const id of all) {
      await hooks.record(id);
      await cluster.addMail(id);
    }

    await cluster.whileLost(async () => {
      for (const { storeId, key } of shops)
        expect((await service.get('/api/v1/orders', key)).status).toBe(lost.includes(storeId) ? 503 : 200);
      await expect(dispatcher.cycle()).rejects.toThrow(DatabaseUnavailable);
      await expect.poll(cluster.notified).toEqual([...kept].sort());
      await expect(mailer.cycle()).rejects.toThrow(DatabaseUnavailable);
      // A cycle sends as many mails as there are connections.
      const mailMore = () => mailer.cycle().then(cluster.mailed, cluster.mailed);
      await expect.poll(mailMore).toEqual(kept);
      // The cycles record what was sent.
      await expect(dispatcher.cycle()).rejects.toThrow(DatabaseUnavailable);
      for (const id of kept)
        expect(await service.db.all(sql`select status from deliveries where store_id = ${id}`)).toEqual([
          { status: 'delivered' },
        ]);
    });

    for (const { key } of shops) expect((await service.get('/api/v1/orders', key)).status).toBe(200);
    await dispatcher.idle();
    await mailer.idle();
    expect(cluster.notified()).toEqual([...all].sort());
    expect(cluster.mailed()).toEqual(all);
  });

  test('an outcome that could not be recorded is recorded when it is back, and nothing is sent twice', async () => {
    const { service, hooks, dispatcher, lost, notified, whileLost } = await startCluster();
    const storeId = lost[0] as string;
    await hooks.record(storeId);
    await dispatcher.cycle();
    await expect.poll(notified).toEqual([storeId]);
    await whileLost(() => expect(dispatcher.cycle()).rejects.toThrow(DatabaseUnavailable));
    await dispatcher.idle();
    expect(notified()).toEqual([storeId]);
    expect(await service.db.all(sql`select status from deliveries where store_id = ${storeId}`)).toEqual([
      { status: 'delivered' },
    ]);
  });
});
