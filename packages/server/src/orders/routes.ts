import { API_PREFIX, type Order, type OrderSummary } from '@store-sales/contract';
import { afterRepair } from '../db/after-repair.ts';
import { asUuid } from '../db/uuid.ts';
import type { Handlers } from '../http/bind.ts';
import type { Caller } from '../keys/authenticate.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { changeOrder } from './change-order.ts';
import { createOrder } from './create-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder, versioned } from './read-order.ts';

type OrderHandlers = Pick<Handlers, 'listOrders' | 'createOrder' | 'readOrder' | 'changeOrder'>;

export function orderRoutes(services: Services): OrderHandlers {
  const { db } = services;
  const answer = ({ body, etag }: { body: Buffer; etag: string }) => ({
    body,
    headers: { ETag: etag } as Record<string, string>,
  });
  /** A key that may not read orders gets only which order it is; the version too, for `If-Match`. */
  const permitted = ({ rightSet }: Caller, shown: { body: Buffer; etag: string }) =>
    answer(rightSet.has('orders:read') ? shown : { ...shown, body: summaryOf(shown.body) });

  return {
    listOrders: async ({ caller, query }) => ({
      body: await listOrders(
        db.quick,
        services,
        caller.store_id,
        afterRepair(services.cursors, 'orders', caller, query),
      ),
      isOfNumber: true,
    }),

    readOrder: async ({ caller, id }) => ({
      ...answer(await readOrder(db.quick, caller.store_id, id)),
      isOfNumber: true,
    }),

    async createOrder({ caller, body, now }) {
      const created = await createOrder(
        db,
        {
          storeId: caller.store_id,
          currency: caller.currency,
          source: 'api',
          actor: { kind: 'key', id: caller.id },
          order: body,
        },
        now,
      );
      const shown = versioned(created.shown);
      if (created.replayed) {
        const { headers, ...rest } = permitted(caller, shown);
        return { ...rest, status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
      }
      const { headers, ...rest } = answer(shown);
      return { ...rest, status: 201, headers: { ...headers, Location: `${API_PREFIX}/orders/${created.id}` } };
    },

    async changeOrder({ caller, id, body, ifMatch, now }) {
      const wanted = asUuid(id);
      if (!wanted) throw notFound('order');
      const actor = { kind: 'key', id: caller.id } as const;
      const shown = await changeOrder(db, { storeId: caller.store_id, id: wanted, change: body, actor, ifMatch }, now);
      return permitted(caller, versioned(shown));
    },
  };
}

function summaryOf(body: Buffer): Buffer {
  const { id, number, externalId, createdAt } = (JSON.parse(body.toString()) as { data: Order }).data;
  const data: OrderSummary = { id, number, externalId, createdAt };
  return Buffer.from(JSON.stringify({ data }));
}
