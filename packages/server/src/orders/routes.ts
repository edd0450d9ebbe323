import { API_PREFIX, type Order, type OrderSummary } from '@store-sales/contract';
import { afterRepair } from '../db/after-repair.ts';
import type { Database } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import type { ApiCall, ApiHandlers } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import { pageLimits } from '../http/page-limits.ts';
import type { Result } from '../http/result.ts';
import type { Services } from '../services.ts';
import { changeOrder } from './change-order.ts';
import { createOrder } from './create-order.ts';
import { listOrders } from './list-orders.ts';
import { readOrder, versioned } from './read-order.ts';

type OrderHandlers = Pick<ApiHandlers, 'listOrders' | 'createOrder' | 'readOrder' | 'changeOrder'>;

export function orderRoutes(services: Services): OrderHandlers {
  const { db } = services;
  const readWithinLimits = pageLimits(services);

  const page = (call: ApiCall<'listOrders'>) => {
    const { caller, query } = call;
    const repaired = afterRepair(services.cursors, 'orders', caller, query);
    return readWithinLimits(
      call,
      (source) => listOrders(source, services, caller.store_id, repaired),
      query.with === 'items' ? { list: 'items', small: 'itemsRead' } : {},
    );
  };

  const respond = ({ body, etag }: { body: Buffer; etag: string }) => ({
    body,
    headers: { ETag: etag } as Record<string, string>,
  });
  /** A key that may not read orders gets only the order's ids and, for `If-Match`, its version. */
  const permitted = <Shown extends { body: Buffer }>({ rightSet }: KeyCaller, response: Shown): Shown =>
    rightSet.has('orders:read') ? response : { ...response, body: summaryOf(response.body) };

  return {
    listOrders: async (call) => ({ body: await page(call), cacheableBySeq: true }),

    readOrder: async ({ caller, params }) => ({
      ...respond(await readOrder(db.fastReads, caller.store_id, params.id)),
      cacheableBySeq: true,
    }),

    async createOrder({ caller, actor, body, now, write }) {
      const { store_id: storeId, currency } = caller;
      const create = async (at: Database): Promise<Result<never>> => {
        const created = await createOrder(at, { storeId, currency, source: 'api', actor, order: body }, now);
        const { headers, ...rest } = respond(versioned(created.response));
        if (created.replayed)
          return permitted(caller, { ...rest, status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' } });
        return { ...rest, status: 201, headers: { ...headers, Location: `${API_PREFIX}/orders/${created.id}` } };
      };
      // With an externalId the creation can be repeated anyway, and gets the current order.
      if (body.externalId !== undefined) return create(db);
      return write(create, (kept) => permitted(caller, kept), {});
    },

    async changeOrder({ caller, actor, params, body, ifMatch, now }) {
      const validId = asUuid(params.id);
      if (!validId) throw notFound('order');
      const response = await changeOrder(
        db,
        { storeId: caller.store_id, id: validId, change: body, actor, ifMatch },
        now,
      );
      return permitted(caller, respond(versioned(response)));
    },
  };
}

function summaryOf(body: Buffer): Buffer {
  const { id, number, externalId, createdAt } = (JSON.parse(body.toString()) as { data: Order }).data;
  const data: OrderSummary = { id, number, externalId, createdAt };
  return Buffer.from(JSON.stringify({ data }));
}
