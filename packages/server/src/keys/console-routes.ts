import type { ApiKey } from '@store-sales/contract/console';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import { requireOptimalPlan } from '../http/callers.ts';
import type { Services } from '../services.ts';
import { iso } from '../time/instant.ts';
import { createKey, type KeyView, listKeys, parseLife, revokeKey } from './keys.ts';

export const keyConsoleRoutes = ({ db }: Services): ConsoleHandlersAt<'/stores/{storeId}/keys'> => ({
  async 'GET /stores/{storeId}/keys'({ store }) {
    requireOptimalPlan(store);
    const oldestFirst = await listKeys(db, store.id);
    return { body: oldestFirst.map(view).reverse() };
  },
  async 'POST /stores/{storeId}/keys'({ store, actor, body: { name, rights, life }, now, check }) {
    requireOptimalPlan(store);
    const key = { storeId: store.id, name, rights, life: parseLife(life) };
    const created = await createKey(db, key, now, actor, check);
    return { body: { secret: created.secret, key: view(created.key) } };
  },
  async 'DELETE /stores/{storeId}/keys/{keyId}'({ store, actor, params, now }) {
    requireOptimalPlan(store);
    return { body: view(await revokeKey(db, params.keyId, now, store.id, actor)) };
  },
});

const view = (key: KeyView): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  rights: key.rights,
  createdBy: key.createdBy,
  createdAt: iso(key.createdAt),
  expiresAt: iso(key.expiresAt),
  revokedAt: key.revokedAt === null ? null : iso(key.revokedAt),
  lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
});
