import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import { fillIn, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { sql } from '../db/sql.ts';
import { HOUR } from '../time/duration.ts';

describe.runIf(hasOpenssl)('the customer of the order page', async () => {
  const { server, service, mailer } = await startServiceWithMail({ TRUST_PROXY: '1', SHOP_ORDERS_PER_MINUTE: '1000' });

  /** Orders the product and returns the address of the order. */
  async function order(
    { path, ids }: { path: string; ids: string[] },
    more: Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const customer = shopVisitor(service, headers);
    const form = { ...(await fillIn(customer, path, ids[0] as string)), ...more };
    service.clock.now += 5000;
    const { status, location } = await customer.post(`${path}/checkout`, form);
    expect(status).toBe(303);
    // A form that is sent again makes no second order, and no second mail.
    await customer.post(`${path}/checkout`, form);
    return location.replace('?new', '');
  }

  test('gets the order with its secret address, in the language of the shop', async () => {
    const shop = await openShopWith(service, { sku: 'A', name: 'Green <b>tea</b>', price: 15_000 });
    await service.db.run(sql`update shops set language = 'ru', title = 'Чай' where store_id = ${shop.storeId}`);
    const address = await order(shop, { email: 'anna@example.com' });
    await mailer.idle();
    const [mail, ...more] = server.to('anna@example.com');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Чай: ваш заказ 1');
    expect(mail?.text).toContain('- Green <b>tea</b> × 1: 150,00 ₽');
    expect(mail?.html).toContain('Green &lt;b&gt;tea&lt;/b&gt; × 1');
    expect(mail?.text).toContain(service.url + address);
    expect((await shopVisitor(service).get(address)).status).toBe(200);
  });

  test('gets amounts with two digits in a currency without minor units', async () => {
    const shop = await openShopWith(service, { sku: 'A', name: 'Tea', price: 10_050 });
    await service.db.run(sql`update stores set currency = 'JPY' where id = ${shop.storeId}`);
    await order(shop, { email: 'yuki@example.com' });
    await mailer.idle();
    expect(server.to('yuki@example.com')[0]?.text).toContain('- Tea × 1: ¥100.50');
  });

  test('gets nothing without an address, or with one that cannot be mailed to', async () => {
    const shop = await openShopWith(service, { sku: 'A', price: 100 });
    const before = server.mails.length;
    await order(shop, {});
    await order(shop, { email: 'a,b@example.com' });
    await mailer.idle();
    expect(server.mails.length).toBe(before);
  });

  test('cannot send their own text to the mailbox of someone else', async () => {
    const shop = await openShopWith(service, { sku: 'A', price: 100 });
    const spam = 'Win a prize at https://spam.example';
    // A promo code must be one of the store.
    const typed = { name: spam, notes: spam, address: spam };
    await order(shop, { ...typed, email: 'victim@example.com' });
    await mailer.idle();
    expect(server.to('victim@example.com')[0]?.raw).not.toContain('spam');
  });

  test('cannot flood a mailbox, from any store or network', async () => {
    const shops = [
      await openShopWith(service, { sku: 'A', price: 100 }),
      await openShopWith(service, { sku: 'A', price: 100 }),
    ];
    for (let count = 0; count < 3; count++)
      for (const shop of shops) await order(shop, { email: `flooded+${count}@example.com` });
    await mailer.idle();
    const received = () => server.mails.filter(({ recipients }) => recipients[0]?.startsWith('flooded')).length;
    expect(received()).toBe(3);
    for (let hour = 0; hour < 6; hour++) {
      service.clock.now += HOUR;
      for (const shop of shops) await order(shop, { email: 'flooded@example.com' });
    }
    await mailer.idle();
    expect(received()).toBe(10);
  });

  test('cannot use up the mails of a store from one network', async () => {
    const [shop, other] = [
      await openShopWith(service, { sku: 'A', price: 100 }),
      await openShopWith(service, { sku: 'A', price: 100 }),
    ];
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let count = 0; count < 22; count++)
      await order(shop, { email: `many${count}@example.com` }, from(`192.0.2.1:${count + 1}`));
    await order(shop, { email: 'neighbor@example.com' }, from('192.0.2.2'));
    await order(other, { email: 'elsewhere@example.com' }, from('192.0.2.1'));
    // Orders without a mail do not count.
    service.clock.now += HOUR;
    for (let count = 0; count < 22; count++) await order(shop, {}, from('192.0.2.1'));
    await order(shop, { email: 'later@example.com' }, from('192.0.2.1'));
    await mailer.idle();
    const received = (prefix: string) =>
      server.mails.filter(({ recipients }) => recipients[0]?.startsWith(prefix)).length;
    expect(['many', 'neighbor', 'elsewhere', 'later'].map(received)).toEqual([20, 1, 1, 1]);
  });

  test('of a store gets at most 200 mails an hour', async () => {
    const shop = await openShopWith(service, { sku: 'A', price: 100 });
    await order(shop, { email: 'first@example.com' });
    const now = service.clock.now;
    for (let count = 0; count < 199; count++)
      await service.db.run(
        sql`insert into mails (store_id, id, kind, recipient, limit_key, language, params, state, created_at, settled_at)
            values (${shop.storeId}, ${crypto.randomUUID()}, 'shop_order', 'x',
                    'x', 'en', '{}', 'sent', ${now}, ${now})`,
      );
    await order(shop, { email: 'above@example.com' });
    await mailer.idle();
    expect([server.to('first@example.com').length, server.to('above@example.com').length]).toEqual([1, 0]);
  });
});
