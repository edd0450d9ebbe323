import { sql } from '../src/db/sql.ts';
import { addProduct } from './catalog.ts';
import type { Service } from './service.ts';

/** A store with two products, and what the tests of its orders read. */
export function orderFixtures(service: Service) {
  const { db } = service;
  return {
    async shop() {
      const opened = await service.shop();
      const tea = await addProduct(service, opened.storeId, { sku: 'TEA-1', externalId: 'ext-tea', price: 15_000 });
      const cup = await addProduct(service, opened.storeId, { sku: 'CUP-1', name: 'Чашка', price: 40_000 });
      const types = await db.one<{ delivery: string; payment: string }>(
        sql`select (select id from delivery_types where owner_id = ${opened.ownerId} and code = 'courier') as delivery,
                   (select id from payment_types where owner_id = ${opened.ownerId} and code = 'card') as payment`,
      );
      return { ...opened, tea, cup, deliveryType: types?.delivery as string, paymentType: types?.payment as string };
    },
    eventsOf: (storeId: string, orderId?: string) =>
      db.all<{ type: string; external_id: string; actor_kind: string }>(
        orderId
          ? sql`select type, external_id, actor_kind from events where store_id = ${storeId} and order_id = ${orderId} order by created_at, type`
          : sql`select type, external_id, actor_kind from events where store_id = ${storeId}`,
      ),
    fieldErrorsOf: (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
      (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort(),
  };
}
