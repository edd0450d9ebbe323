import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { startService } from '../../../test/service.ts';
import { system } from '../../actor.ts';
import { runPlan } from '../../db/write/run-plans.ts';
import { readCsv } from '../../imports/csv.ts';
import { createOrder } from '../write/create-order.ts';
import { type ExportFormat, exportOrders } from './export-orders.ts';

const service = await startService();
const { db, clock } = service;

async function exported(storeId: string, format: ExportFormat) {
  const pieces: Buffer[] = [];
  for await (const piece of exportOrders(db, storeId, format)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function shopWithOrders(count: number) {
  const shop = await service.shop();
  await addProduct(service, shop.storeId, { sku: 'P', name: 'Чай' });
  const types = (await service.get('/api/v1/references/delivery-types', shop.key)).body.data;
  const order = (index: number) => ({
    externalId: `x${index}`,
    items: [{ sku: 'P', quantity: 1 + (index % 3) }],
    customer: { name: `=cmd|'${index}`, phone: '+7 900 000-00-00', email: '@x' },
    delivery: { typeId: types[0].id, cost: 100, city: 'Москва' },
    notes: 'a "quoted"\nline, two',
  });
  const request = { storeId: shop.storeId, currency: 'RUB', source: 'api' as const, actor: system };
  for (let start = 0; start < count; start += 100)
    await db.transaction(async (tx) => {
      for (let index = start; index < Math.min(start + 100, count); index++)
        await runPlan(tx, createOrder({ ...request, order: order(index), now: clock.now + Math.floor(index / 2) }));
    });
  return shop;
}

describe('exporting orders', () => {
  test('NDJSON is the list with items, the oldest first', async () => {
    const { storeId, key } = await shopWithOrders(1200);
    await shopWithOrders(3);
    const [first] = (await service.get('/api/v1/orders?order=createdAt:asc&limit=1', key)).body.data;
    await service.patch(`/api/v1/orders/${first.id}`, { status: 'packing' }, key);
    const listed: unknown[] = [];
    for (let cursor = ''; ; ) {
      const query = `order=createdAt:asc&with=items&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await service.get(`/api/v1/orders?${query}`, key);
      listed.push(...body.data);
      if (!body.page.hasMore) break;
      cursor = body.page.nextCursor;
    }
    const lines = (await exported(storeId, 'ndjson')).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(listed);
  });

  test('CSV has a row for each order, with formulas escaped', async () => {
    const { storeId, key } = await shopWithOrders(2);
    const text = async function* () {
      yield await exported(storeId, 'csv');
    };
    const rows: string[][] = [];
    for await (const row of readCsv(text(), () => ',')) rows.push('cells' in row ? row.cells : []);
    const [header = [], first = [], ...rest] = rows;
    const order = Object.fromEntries(header.map((name, index) => [name, first[index]]));
    expect(rest).toHaveLength(1);
    const { data } = (await service.get('/api/v1/orders?order=createdAt:asc&limit=1', key)).body;
    expect(order).toEqual({
      id: data[0].id,
      number: '1',
      externalId: 'x0',
      createdAt: data[0].createdAt,
      updatedAt: data[0].updatedAt,
      status: 'new',
      statusName: data[0].status.name,
      paymentStatus: 'unpaid',
      paymentStatusName: data[0].paymentStatus.name,
      isPaid: 'false',
      totalAmount: '15100',
      paidAmount: '0',
      discountTotal: '0',
      promoCode: '',
      currency: 'RUB',
      customerName: "'=cmd|'0",
      customerPhone: "'+7 900 000-00-00",
      customerEmail: "'@x",
      deliveryType: data[0].delivery.type,
      deliveryCost: '100',
      deliveryDiscount: '0',
      address: '',
      city: 'Москва',
      region: '',
      street: '',
      house: '',
      flat: '',
      postalCode: '',
      trackingNumber: '',
      paymentType: '',
      source: 'api',
      notes: 'a "quoted"\nline, two',
      items: '1 × Чай [P] = 15000',
    });
  });

  test('a store without orders', async () => {
    const { storeId } = await service.shop();
    expect(await exported(storeId, 'ndjson')).toBe('');
    expect(await exported(storeId, 'csv')).toMatch(/^id,number,.*,items\n$/);
  });
});
