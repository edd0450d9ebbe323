import { type HistoryKind, type HistoryPage, HistoryQuery } from '@store-sales/contract/console';
import { listHistory, type SubjectKind } from '../history/history.ts';
import { iso } from '../instant.ts';
import type { Services } from '../services.ts';
import { type Route, route } from './api.ts';

const subjects: Record<HistoryKind, readonly SubjectKind[]> = {
  store: ['store'],
  key: ['key'],
  endpoint: ['endpoint'],
  references: ['order_status', 'payment_status', 'payment_type', 'delivery_type', 'warehouse'],
  catalog: ['product', 'category', 'import'],
  account: ['account'],
};

/** The history of a store and of its owner's account. */
export function historyRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/stores/:storeId/history',
      who: 'store',
      query: HistoryQuery,
      async handle({ store, query: { kind, actor, cursor } }): Promise<HistoryPage> {
        const scope = { storeId: store.id, ownerId: store.owner_id };
        const kinds = kind && subjects[kind];
        const { entries, nextCursor } = await listHistory(services, scope, { kinds, actor, cursor });
        return {
          entries: entries.map(({ at, ...entry }) => ({ ...entry, at: iso(at) })),
          nextCursor,
        };
      },
    }),
  ];
}
