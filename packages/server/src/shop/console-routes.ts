import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import type { StoreRow } from '../tenants.ts';
import { readSettings, saveSettings } from './shop-settings.ts';

/** The owner's settings of the order page. */
export function shopConsoleRoutes(
  { db }: Services,
  publicUrl: () => string,
): ConsoleHandlersAt<'/stores/{storeId}/shop'> {
  const scopeOf = ({ id, owner_id, name }: StoreRow) => ({ storeId: id, ownerId: owner_id, name });
  const url = () => `${publicUrl()}/shop`;
  return {
    'GET /stores/{storeId}/shop': async ({ store }) => ({
      body: { ...(await readSettings(db, scopeOf(store))), url: url() },
    }),
    'PUT /stores/{storeId}/shop': async ({ store, body, actor, now, ifMatch }) => ({
      body: { ...(await saveSettings(db, scopeOf(store), body, actor, now, ifMatch)), url: url() },
    }),
  };
}
