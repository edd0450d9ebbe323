import { type ApiKey, type CreatedKey, CreateKey } from '@store-sales/contract/console';
import type { StoreRow } from '../accounts/stores.ts';
import { iso } from '../instant.ts';
import { createKey, type KeyView, listKeys, parseLife, revokeKey } from '../keys/keys.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { actorOf, type Route, route } from './api.ts';

/** Settings → Integrations → API: the keys of a store. */
export function keyRoutes({ db }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/stores/:storeId/keys',
      who: 'store',
      async handle({ store }): Promise<ApiKey[]> {
        requirePlan(store);
        // Newest first.
        return (await listKeys(db, store.id)).map(view).reverse();
      },
    }),
    route({
      method: 'POST',
      path: '/stores/:storeId/keys',
      who: 'store',
      body: CreateKey,
      async handle({ session, store, body: { name, rights, life }, reply, now }): Promise<CreatedKey> {
        requirePlan(store);
        const details = { storeId: store.id, name, rights, life: parseLife(life) };
        const made = await createKey(db, details, now, actorOf(session));
        reply.code(201);
        return { secret: made.secret, key: view(made.key) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/stores/:storeId/keys/:keyId',
      who: 'store',
      async handle({ session, store, params, now }): Promise<ApiKey> {
        requirePlan(store);
        return view(await revokeKey(db, params.keyId as string, now, store.id, actorOf(session)));
      },
    }),
  ];
}

function requirePlan(store: StoreRow) {
  if (store.plan !== 'optimal')
    throw new Refusal('plan_required', `The API is part of plan Optimal; this store is on plan ${store.plan}.`);
}

const view = (key: KeyView): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  rights: key.rights,
  createdAt: iso(key.createdAt),
  expiresAt: iso(key.expiresAt),
  revokedAt: key.revokedAt === null ? null : iso(key.revokedAt),
  lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
});
