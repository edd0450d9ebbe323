import { expect } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { addProduct } from './catalog.ts';
import type { Service } from './service.ts';

/** An order to edit, and what the tests of editing read. */
export function editFixtures(service: Service) {
  const { db, clock } = service;

  /** A store with an order of two teas and a cup: 2 × 150 − 10 + 400 − 50 + 300 − 100 = 840. */
  async function orderToEdit() {
    const owner = await service.owner();
    const shop = await service.shop({ ownerId: owner.id });
    const { key, storeId } = shop;
    const tea = await addProduct(service, storeId, { sku: 'TEA-1', externalId: 'ext-tea', price: 15_000 });
    const cup = await addProduct(service, storeId, { sku: 'CUP-1', name: 'Cup', price: 40_000 });
    const pot = await addProduct(service, storeId, { sku: 'POT-1', name: 'Pot', price: 90_000 });
    const types = async (kind: 'delivery' | 'payment') =>
      db.all<{ id: string; code: string; name: string }>(
        kind === 'delivery'
          ? sql`select id, code, name from delivery_types where owner_id = ${owner.id} order by code`
          : sql`select id, code, name from payment_types where owner_id = ${owner.id} order by code`,
      );
    const [deliveryTypes, paymentTypes] = [await types('delivery'), await types('payment')];
    const created = await service.post(
      '/api/v1/orders',
      {
        externalId: 'E',
        customer: { name: 'Anna', phone: '1' },
        items: [
          { sku: 'TEA-1', quantity: 2, discount: 1_000 },
          { sku: 'CUP-1', quantity: 1 },
        ],
        delivery: { typeId: deliveryTypes[0]?.id, cost: 30_000, discount: 10_000, city: 'Tver' },
        paymentTypeId: paymentTypes[0]?.id,
        promoCode: 'SPRING',
        discount: 5_000,
      },
      key,
    );
    expect([created.status, created.body.data.totalAmount]).toEqual([201, 84_000]);
    clock.now += 1000;
    const { id, items } = created.body.data;
    const path = `/api/v1/orders/${id}`;
    return {
      ...shop,
      owner,
      tea,
      cup,
      pot,
      deliveryTypes,
      paymentTypes,
      id: id as string,
      path,
      created,
      order: created.body.data,
      /** Ids of its lines. */
      teaLine: items[0].id as string,
      cupLine: items[1].id as string,
      read: async () => (await service.get(path, key)).body.data,
      patch: (change: unknown, headers?: Record<string, string>) => service.patch(path, change, key, headers),
    };
  }

  const fieldErrorsOf = (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
    (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort();

  const rowsOf = (storeId: string) =>
    db.all(
      sql`select id, product_id, quantity, unit_price, discount, line_total from order_lines
          where store_id = ${storeId} order by order_id, position`,
    );

  const asRows = (items: any[]) =>
    items.map((item) => ({
      id: item.id,
      product_id: item.productId,
      quantity: item.quantity,
      unit_price: item.unitPrice,
      discount: item.discount,
      line_total: item.lineTotal,
    }));

  const eventsOf = async (storeId: string) =>
    (await db.all<{ type: string }>(sql`select type from events where store_id = ${storeId} order by id`)).map(
      ({ type }) => type,
    );

  return { orderToEdit, fieldErrorsOf, rowsOf, asRows, eventsOf };
}
