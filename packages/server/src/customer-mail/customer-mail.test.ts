import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import { shopVisitor } from '../../test/shop-visitor.ts';
import { system } from '../actor.ts';
import { sql } from '../db/sql.ts';
import { eraseCustomer } from '../personal-data/erase-customer.ts';
import { exportCustomer } from '../personal-data/export-customer.ts';
import { enableShop } from '../shop/shops.ts';
import { nameOf } from './notices.ts';

describe.runIf(hasOpenssl)('the customer of an order', async () => {
  const { server, service, mailer } = await startServiceWithMail();
  const { db, clock } = service;
  let serial = 0;

  async function shopWithOrder(customer: object = {}) {
    const owner = await service.owner();
    const shop = await service.shop({ ownerId: owner.id });
    const visitor = browser(service);
    await visitor.signIn(owner.email);
    const path = `/stores/${shop.storeId}`;
    const productId = await addProduct(service, shop.storeId, { sku: 'T', name: 'Tea', price: 10_000 });
    const email = `customer${++serial}@example.com`;
    const order = async (more: object = {}) => {
      const body = { items: [{ productId, quantity: 1 }], customer: { name: 'Анна Ким', email, ...customer }, ...more };
      return (await service.post('/api/v1/orders', body, shop.key)).body.data;
    };
    const { statuses, deliveryTypes } = (await visitor.get(`${path}/orders/choices`)).body;
    const idOf = (code: string) => statuses.find((status: any) => status.code === code).id as string;
    const tell = (code: string, texts: object) =>
      visitor.put(`${path}/status-mails/${idOf(code)}`, { isEnabled: true, textEn: '', textRu: '', ...texts });
    const timeline = async (id: string) =>
      (await visitor.get(`${path}/orders/${id}`)).body.timeline.map(({ type, mail }: any) => mail ?? type);
    const change = (id: string, body: object) => service.patch(`/api/v1/orders/${id}`, body, shop.key);
    return { ...shop, owner, visitor, path, email, order, idOf, tell, timeline, change, deliveryTypes };
  }

  test('is told once for each change to a status, with their page and the tracking address', async () => {
    const shop = await shopWithOrder();
    const { visitor, path, email, change } = shop;
    const courier = shop.deliveryTypes[0];
    await visitor.patch(`${path}/delivery-types/${courier.id}`, {
      trackingUrlTemplate: 'https://t.example/?id={number}',
    });
    await enableShop(db, shop.storeId, `mails-${serial}`, clock.now);
    await visitor.put(`${path}/seller`, { name: 'OOO Tea', address: '', taxNumber: '', email: 'hello@tea.example' });
    const saved = await shop.tell('delivering', {
      textEn: 'Hello, {customer}!\n\n<b>{number}</b>: {total}, {due}, {tracking}, {nothing}',
    });
    expect(saved.status).toBe(200);
    const { id } = await shop.order({ delivery: { typeId: courier.id } });
    await change(id, { status: 'packing' });
    const body = { status: 'delivering', delivery: { trackingNumber: 'RA 1' }, paidAmount: 4_000 };
    await change(id, body);
    await change(id, body);
    await mailer.idle();
    await mailer.idle();
    const [mail, ...more] = server.to(email);
    expect(more).toEqual([]);
    expect(mail?.headers['reply-to']).toEqual(['hello@tea.example']);
    expect(mail?.subject).toMatch(/: order 1$/);
    expect(mail?.text).toContain('Hello, Анна Ким!\n\n<b>1</b>: ₽100.00, ₽60.00, RA 1, {nothing}');
    expect(mail?.text).toContain('https://t.example/?id=RA%201');
    expect(mail?.html).toContain('&lt;b&gt;1&lt;/b&gt;');
    const [link = ''] = /http\S+\/shop\/\S+/.exec(mail?.text ?? '') ?? [];
    const page = await shopVisitor(service).get(link.slice(service.url.length));
    expect(page.status).toBe(200);
    expect(page.text).toContain('<a href="https://t.example/?id=RA%201" rel="noreferrer" target="_blank">RA 1</a>');
    expect(await shop.timeline(id)).toEqual([
      { kind: 'status', isSent: true, text: '' },
      'order.status_changed',
      'order.edited',
      'order.status_changed',
      'order.created',
    ]);

    // Out of the status and into it again: another mail with the same link.
    await change(id, { status: 'packing' });
    await change(id, { status: 'delivering' });
    await mailer.idle();
    expect(server.to(email)).toHaveLength(2);
    expect(server.to(email)[1]?.text).toContain(link);
  });

  test('gets the text of their language, or else the other one', async () => {
    const shop = await shopWithOrder();
    await enableShop(db, shop.storeId, `mails-${serial}`, clock.now);
    await db.run(sql`update shops set language = 'ru', title = 'Чай' where store_id = ${shop.storeId}`);
    await shop.tell('packing', { textEn: 'Packing', textRu: 'Собираем' });
    await shop.tell('completed', { textEn: 'Done' });
    const { id } = await shop.order();
    await shop.change(id, { status: 'packing' });
    await shop.change(id, { status: 'completed' });
    await mailer.idle();
    const [first, second] = server.to(shop.email);
    expect([first?.subject, first?.text.split('\n')[0]]).toEqual(['Чай: заказ 1', 'Собираем']);
    expect([second?.subject, second?.text.split('\n')[0]]).toEqual(['Чай: order 1', 'Done']);
  });

  test('is not told of a change that was rejected, of a switched off status, or without an e-mail', async () => {
    const shop = await shopWithOrder();
    await shop.tell('packing', { textEn: 'Packing' });
    await shop.tell('completed', { textEn: 'Done', isEnabled: false });
    const { id } = await shop.order();
    expect((await shop.change(id, { status: 'packing', paymentStatus: 'nope' })).status).toBe(422);
    await shop.change(id, { status: 'completed' });
    const none = await shop.order({ customer: { name: 'Bob' } });
    const wrong = await shop.order({ customer: { email: 'a,b@example.com' } });
    for (const each of [none, wrong]) await shop.change(each.id, { status: 'packing' });
    await mailer.idle();
    expect(server.to(shop.email)).toEqual([]);
    expect(await shop.timeline(none.id)).toEqual(['order.status_changed', 'order.created']);
    const { statuses } = (await shop.visitor.get(`${shop.path}/orders/choices`)).body;
    const { body } = await shop.visitor.get(`${shop.path}/status-mails`);
    expect(body).toHaveLength(statuses.length);
    expect(body.filter(({ isEnabled }: any) => isEnabled)).toEqual([
      { statusId: shop.idOf('packing'), isEnabled: true, textEn: 'Packing', textRu: '' },
    ]);
    expect((await shop.tell('new', {})).status).toBe(422);
    const other = await shopWithOrder();
    expect(
      (
        await other.visitor.put(`${other.path}/status-mails/${shop.idOf('new')}`, {
          isEnabled: true,
          textEn: 'x',
          textRu: '',
        })
      ).status,
    ).toBe(404);
  });

  test('is told of bulk changes, each once, but not when a status is disabled', async () => {
    const shop = await shopWithOrder();
    const { visitor, path } = shop;
    await shop.tell('packing', { textEn: 'Packing {number}' });
    const own = (await visitor.post(`${path}/order-statuses`, { group: 'new', name: 'Check' })).body;
    await visitor.put(`${path}/status-mails/${own.id}`, { isEnabled: true, textEn: 'Checking', textRu: '' });
    await shop.order();
    await shop.order();
    const { data } = (await visitor.get(`${path}/orders`)).body;
    const orders = data.map(({ id, etag }: any) => ({ id, etag }));
    for (let count = 0; count < 2; count++)
      await visitor.post(`${path}/orders/bulk`, { change: { statusId: shop.idOf('packing') }, orders });
    await mailer.idle();
    expect(server.to(shop.email).map(({ text }) => text.split('\n')[0])).toEqual(
      expect.arrayContaining(['Packing 1', 'Packing 2']),
    );
    expect(server.to(shop.email)).toHaveLength(2);
    await shop.change(orders[0].id, { statusId: own.id });
    await shop.tell('new', { textEn: 'New' });
    await visitor.patch(`${path}/order-statuses/${own.id}`, { isActive: false });
    await mailer.idle();
    expect(server.to(shop.email)).toHaveLength(3);
  });

  test('gets a limited number of mails, and the timeline says which were not sent', async () => {
    const shop = await shopWithOrder();
    await shop.tell('packing', { textEn: 'Packing' });
    const { id } = await shop.order();
    for (let count = 0; count < 11; count++) {
      await shop.change(id, { status: 'packing' });
      await shop.change(id, { status: 'new' });
    }
    await mailer.idle();
    expect(server.to(shop.email)).toHaveLength(10);
    const mails = (await shop.timeline(id)).filter((each: any) => each.kind);
    expect(mails[0]).toEqual({ kind: 'status', isSent: false, text: '' });
    expect(mails[1]).toEqual({ kind: 'status', isSent: true, text: '' });
  });

  test('gets what a member types, as text, which is erased with the person', async () => {
    const shop = await shopWithOrder();
    const { id, customer } = await shop.order();
    const send = (orderId: string, text: string) => shop.visitor.post(`${shop.path}/orders/${orderId}/mails`, { text });
    const sent = await send(id, 'Is {number} <i>fine</i>?\nYours');
    expect(sent.status).toBe(200);
    expect(sent.body.timeline[0]).toMatchObject({
      type: 'order.mailed',
      mail: { kind: 'message', isSent: true, text: 'Is {number} <i>fine</i>?\nYours' },
      actor: { kind: 'owner' },
    });
    await mailer.idle();
    const [mail, ...more] = server.to(shop.email);
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/^Is \{number\} <i>fine<\/i>\?\n\nYours\n/);
    expect(mail?.html).toContain('&lt;i&gt;fine&lt;/i&gt;');
    expect((await send(id, '   ')).status).toBe(422);
    const none = await shop.order({ customer: { name: 'Bob' } });
    expect((await send(none.id, 'Hello')).body.code).toBe('no_mail_address');
    for (let count = 0; count < 4; count++) await send(id, 'again');
    expect((await send(id, 'again')).body.code).toBe('too_many_mails');
    const other = await shopWithOrder();
    expect((await other.visitor.post(`${other.path}/orders/${id}/mails`, { text: 'x' })).status).toBe(404);

    const exported = async () => {
      let text = '';
      const options = { storeId: shop.storeId, id: customer.id, now: clock.now };
      for await (const piece of exportCustomer(db, options)) text += piece;
      return JSON.parse(text).orders.flatMap(({ messages }: any) => messages.map(({ text }: any) => text));
    };
    expect(await exported()).toContain('Is {number} <i>fine</i>?\nYours');
    await eraseCustomer(db, { storeId: shop.storeId, id: customer.id, actor: system, now: clock.now });
    const texts = (await shop.timeline(id)).filter((each: any) => each.kind).map(({ text }: any) => text);
    expect(new Set(texts)).toEqual(new Set(['']));
    expect(await exported()).toEqual([]);
  });

  test('of the order page cannot put an advertisement into the name', () => {
    expect(['Анна-Мария О’Нил', "Jean d'Arc", '  Bob '].map(nameOf)).toEqual(['Анна-Мария О’Нил', "Jean d'Arc", 'Bob']);
    for (const name of ['Win at https://spam.example', 'spam.example', 'Call 8 800', 'a@b', 'x'.repeat(61), ''])
      expect(nameOf(name)).toBe('');
  });
});

describe.runIf(hasOpenssl)('who sells', async () => {
  const { service } = await startServiceWithMail();

  test('is saved by the owner and read by every member', async () => {
    const owner = await service.owner();
    const { id } = await service.store({ ownerId: owner.id });
    const visitor = browser(service);
    await visitor.signIn(owner.email);
    const path = `/stores/${id}/seller`;
    expect((await visitor.get(path)).body).toEqual({ name: '', address: '', taxNumber: '', email: '' });
    const seller = { name: 'ООО «Чай»', address: 'Москва', taxNumber: '7700000000', email: 'hello@tea.example' };
    expect((await visitor.put(path, seller)).body).toEqual(seller);
    expect((await visitor.get(path)).body).toEqual(seller);
    for (const email of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 'nobody'])
      expect((await visitor.put(path, { ...seller, email })).status).toBe(422);
  });
});
