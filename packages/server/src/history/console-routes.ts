import type { HistoryKind } from '@store-sales/contract/console';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { iso } from '../time/instant.ts';
import { listHistory, type SubjectKind } from './history.ts';

const subjects: Record<HistoryKind, readonly SubjectKind[]> = {
  store: ['store'],
  key: ['key'],
  endpoint: ['endpoint'],
  references: ['order_status', 'payment_status', 'payment_type', 'delivery_type', 'warehouse'],
  promo_codes: ['promo_code'],
  customers: ['customer'],
  catalog: ['product', 'category', 'import'],
  members: ['member'],
  account: ['account'],
};

/** The history of a store and of the reader's own account. */
export const historyConsoleRoutes = (services: Services): ConsoleHandlersAt<'/stores/{storeId}/history'> => ({
  async 'GET /stores/{storeId}/history'({ store, session, query: { kind, actor, cursor } }) {
    const scope = { storeId: store.id, accountId: session.account.id };
    const { entries, nextCursor } = await listHistory(services, scope, {
      kinds: kind && subjects[kind],
      actor,
      cursor,
    });
    return { body: { entries: entries.map(({ at, ...entry }) => ({ ...entry, at: iso(at) })), nextCursor } };
  },
});
