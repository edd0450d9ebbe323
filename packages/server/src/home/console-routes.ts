import type { Attention, Home, HomeQuery, Sales, SetupStep } from '@store-sales/contract/console';
import { hasProducts } from '../catalog/products.ts';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import { listKeys } from '../keys/keys.ts';
import { countsAsSale, type DaySums, dueOf, hasOrders, type SalesCache } from '../orders/sales/sales.ts';
import { listOrderStatuses } from '../orders/statuses/order-statuses.ts';
import type { Services } from '../services.ts';
import { hasOpenShop } from '../shop/shops.ts';
import type { StoreRow } from '../tenants.ts';
import { DAY } from '../time/duration.ts';
import { iso } from '../time/instant.ts';
import { listEndpoints } from '../webhooks/endpoints/find-endpoints.ts';

const EXPIRES_SOON_MS = 14 * DAY;
/** Occasional failures are normal. */
const MIN_FAILURES = 5;
const MAX_BEST_PRODUCTS = 5;

/** Sales of the store, and what needs the owner's attention. */
export function homeConsoleRoutes(services: Services, sales: SalesCache): ConsoleHandlersAt<'/stores/{storeId}/home'> {
  const { db } = services;
  const periodOf = ({ days = '30' }: HomeQuery) => Number(days);

  return {
    async 'GET /stores/{storeId}/home'({ store, query, now }) {
      const count = periodOf(query);
      const statuses = await listOrderStatuses(db, store.id);
      const ids = statuses.map(({ id }) => id);
      const days = await sales.days(store, ids, count * 2, now);
      const counted = new Set(statuses.filter(countsAsSale).map(({ id }) => id));
      const [previous, current] = [days.slice(0, count), days.slice(count)];
      const orders = new Map<string, number>();
      for (const { byStatus } of current)
        for (const sum of byStatus) orders.set(sum.status_id, (orders.get(sum.status_id) ?? 0) + Number(sum.orders));
      return {
        body: {
          current: summed(current, counted),
          previous: summed(previous, counted),
          days: current.map((day, index) => ({
            date: day.date,
            ...summed([day], counted),
            previousRevenue: summed(previous.slice(index, index + 1), counted).revenue,
          })),
          statuses: statuses
            .filter(({ id }) => orders.has(id))
            .map(({ id, code, name, group }) => ({ id, code, name, group, orders: orders.get(id) ?? 0 })),
          due: await dueOf(db, store.id),
          attention: store.plan === 'optimal' ? await attention(services, store.id, now) : [],
          setup: await setup(services, store),
        },
      };
    },
    // A separate route, because the first request for a large store takes longer than all the others.
    async 'GET /stores/{storeId}/home/products'({ store, query, now }) {
      const statuses = await listOrderStatuses(db, store.id);
      return { body: await sales.bestProducts(store, statuses, periodOf(query), MAX_BEST_PRODUCTS, now) };
    },
  };
}

/** The first steps of a store without orders. Keys and webhooks need the Optimal plan. */
async function setup(services: Services, { id, plan }: StoreRow): Promise<Home['setup']> {
  const { db } = services;
  if (await hasOrders(db, id)) return null;
  const done = (step: SetupStep, isDone: boolean) => ({ step, isDone });
  const steps = [
    done('product', await hasProducts(db, id)),
    done('order', false),
    done('shop', await hasOpenShop(db, id)),
  ];
  if (plan !== 'optimal') return steps;
  const [keys, endpoints] = [await listKeys(db, id), await listEndpoints(services, id)];
  return [...steps, done('key', keys.length > 0), done('endpoint', endpoints.length > 0)];
}

function summed(days: readonly DaySums[], statusIds: ReadonlySet<string>): Sales {
  const sums = { revenue: 0, orders: 0 };
  for (const { byStatus } of days)
    for (const { status_id: id, orders, revenue } of byStatus) {
      if (!statusIds.has(id)) continue;
      sums.orders += Number(orders);
      sums.revenue += Number(revenue);
    }
  return sums;
}

async function attention(services: Services, storeId: string, now: number): Promise<Attention[]> {
  const endpoints = await listEndpoints(services, storeId);
  const keys = await listKeys(services.db, storeId);
  const since = (instant: number | null) => (instant === null ? null : iso(instant));
  return [
    ...endpoints.flatMap(({ id, url: name, isActive, disabledAt, consecutiveFailures, failingSince }): Attention[] => {
      if (!isActive) return [{ kind: 'endpoint_off', id, name, since: since(disabledAt) }];
      return consecutiveFailures >= MIN_FAILURES
        ? [{ kind: 'endpoint_failing', id, name, since: since(failingSince) }]
        : [];
    }),
    ...keys.flatMap(({ id, name, revokedAt, expiresAt }): Attention[] =>
      revokedAt === null && expiresAt > now && expiresAt < now + EXPIRES_SOON_MS
        ? [{ kind: 'key_expiring', id, name, since: iso(expiresAt) }]
        : [],
    ),
  ];
}
