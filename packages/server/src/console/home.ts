import { type Attention, type BestProduct, type Home, HomeQuery, type Sales } from '@store-sales/contract/console';
import { iso } from '../instant.ts';
import { listKeys } from '../keys/keys.ts';
import type { DaySums, SalesCache } from '../orders/sales.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import type { Services } from '../services.ts';
import { listEndpoints } from '../webhooks/endpoints/endpoints.ts';
import { type Route, route } from './api.ts';

const EXPIRES_SOON_MS = 14 * 86_400_000;
/** Occasional failures are normal. */
const MIN_FAILURES = 5;
const MAX_BEST_PRODUCTS = 5;
/** Groups whose orders do not count as sales. */
const lost: readonly string[] = ['cancelled', 'returned'];

/** Sales of the store, and what needs the owner's attention. */
export function homeRoutes(services: Services, sales: SalesCache): Route[] {
  const { db } = services;
  const periodOf = ({ days = '30' }: HomeQuery) => Number(days);

  return [
    route({
      method: 'GET',
      path: '/stores/:storeId/home',
      who: 'store',
      query: HomeQuery,
      async handle({ store, query, now }): Promise<Home> {
        const count = periodOf(query);
        const statuses = await listOrderStatuses(db, store.id);
        const ids = statuses.map(({ id }) => id);
        const days = await sales.days(store, ids, count * 2, now);
        const counted = new Set(statuses.filter(({ group }) => !lost.includes(group)).map(({ id }) => id));
        const [before, present] = [days.slice(0, count), days.slice(count)];
        const orders = new Map<string, number>();
        for (const { byStatus } of present)
          for (const sum of byStatus) orders.set(sum.status_id, (orders.get(sum.status_id) ?? 0) + Number(sum.orders));
        return {
          present: summed(present, counted),
          before: summed(before, counted),
          days: present.map((day) => ({ date: day.date, ...summed([day], counted) })),
          statuses: statuses
            .filter(({ id }) => orders.has(id))
            .map(({ id, code, name, group }) => ({ id, code, name, group, orders: orders.get(id) ?? 0 })),
          attention: store.plan === 'optimal' ? await attention(services, store.id, now) : [],
        };
      },
    }),
    // A separate route, because the first request for a large store takes longer than all the others.
    route({
      method: 'GET',
      path: '/stores/:storeId/home/products',
      who: 'store',
      query: HomeQuery,
      async handle({ store, query, now }): Promise<BestProduct[]> {
        return sales.bestProducts(store, periodOf(query), MAX_BEST_PRODUCTS, now);
      },
    }),
  ];
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
