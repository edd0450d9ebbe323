import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import { signedInMember } from '../../test/member.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { MINUTE } from '../time/duration.ts';
import { mailAboutOrders } from './order-mails.ts';

describe.runIf(hasOpenssl)('mails about new orders', async () => {
  const { server, service, mailer } = await startServiceWithMail({ PUBLIC_URL: 'https://shop.example.com' });

  async function order(key: string, name: string) {
    const body = { customer: { name }, items: [{ sku: 'TEA', quantity: 1 }] };
    expect((await service.post('/api/v1/orders', body, key)).status).toBe(201);
  }

  async function deliver() {
    await mailAboutOrders(service.services);
    await mailer.idle();
  }

  test('go to those who want them, gathered, at most one a minute', async () => {
    const { visitor, path, store, storeId, owner } = await signedInOwner(service);
    const { visitor: manager, account } = await signedInMember(service, storeId, 'manager');
    await addProduct(service, storeId, { sku: 'TEA', price: 15_000 });
    const key = await service.key(storeId);
    await order(key, 'Too early');
    expect((await visitor.get('/order-mails')).body).toEqual({ storeIds: [] });
    expect((await visitor.put(`${path}/order-mail`, { isOn: true })).status).toBe(204);
    expect((await visitor.get('/order-mails')).body).toEqual({ storeIds: [storeId] });
    expect((await manager.get('/order-mails')).body).toEqual({ storeIds: [] });
    await deliver();
    expect(server.to(owner.email)).toEqual([]);

    await order(key, 'Boris');
    await deliver();
    expect(server.to(owner.email)).toMatchObject([{ subject: `${store.name}: new order 2` }]);
    expect(server.to(owner.email)[0]?.text).toContain('- No. 2, Boris, ₽150.00');
    expect(server.to(owner.email)[0]?.text).toContain(`https://shop.example.com/console/stores/${storeId}/orders`);

    for (let count = 0; count < 25; count++) await order(key, `Customer ${count}`);
    service.clock.now += MINUTE - 1;
    await deliver();
    expect(server.to(owner.email)).toHaveLength(1);
    service.clock.now += 1;
    await Promise.all([mailAboutOrders(service.services), mailAboutOrders(service.services)]);
    await deliver();
    const [, gathered, ...more] = server.to(owner.email);
    expect(more).toEqual([]);
    expect(gathered?.subject).toBe(`${store.name}: 25 new orders`);
    expect(gathered?.text.match(/^- No\. \d+/gm)).toHaveLength(20);
    expect(gathered?.text).toContain('- and 5 more');
    expect(server.to(account.email)).toEqual([]);
  });

  test('stop when they are switched off, and for those who left the store', async () => {
    const { storeId, visitor, path } = await signedInOwner(service);
    const [off, gone] = [
      await signedInMember(service, storeId, 'viewer'),
      await signedInMember(service, storeId, 'viewer'),
    ];
    for (const member of [off, gone]) await member.visitor.put(`${path}/order-mail`, { isOn: true });
    await off.visitor.put(`${path}/order-mail`, { isOn: false });
    await visitor.delete(`${path}/members/${gone.account.id}`);
    await addProduct(service, storeId, { sku: 'TEA' });
    await order(await service.key(storeId), 'Boris');
    await deliver();
    for (const { account } of [off, gone]) expect(server.to(account.email)).toEqual([]);
  });

  test('tell nothing of an order that was refused', async () => {
    const { storeId, visitor, path, owner } = await signedInOwner(service);
    await visitor.put(`${path}/order-mail`, { isOn: true });
    expect((await service.post('/api/v1/orders', { items: [] }, await service.key(storeId))).status).toBe(422);
    await deliver();
    expect(server.to(owner.email)).toEqual([]);
  });
});
