import { ChangeStore, CreateStore, type Store } from '@store-sales/contract/console';
import { changeStore, createStore, type StoreRow, storesOf } from '../accounts/stores.ts';
import { iso } from '../instant.ts';
import type { Services } from '../services.ts';
import { actorOf, type Route, route } from './api.ts';

/** The owner's stores. Their plan is set by the administrator, on the command line. */
export function storeRoutes({ db }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/stores',
      who: 'owner',
      handle: async ({ session }) => (await storesOf(db, session.owner.id)).map(view),
    }),
    route({
      method: 'POST',
      path: '/stores',
      who: 'owner',
      body: CreateStore,
      async handle({ session, body, reply, now }) {
        const store = await createStore(db, { ...body, ownerId: session.owner.id }, now, actorOf(session));
        reply.code(201);
        return view(store);
      },
    }),
    route({
      method: 'PATCH',
      path: '/stores/:storeId',
      who: 'store',
      body: ChangeStore,
      handle: async ({ session, store, body, now }) => view(await changeStore(db, store, body, actorOf(session), now)),
    }),
  ];
}

const view = (store: StoreRow): Store => ({
  id: store.id,
  name: store.name,
  currency: store.currency,
  timezone: store.timezone,
  plan: store.plan,
  isActive: store.is_active,
  createdAt: iso(store.created_at),
});
