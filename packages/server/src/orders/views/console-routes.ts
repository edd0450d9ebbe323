import type { ConsoleHandlersAt } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { changeView, createView, deleteView, listViews } from './order-views.ts';

export function viewConsoleRoutes({ db }: Services): ConsoleHandlersAt<'/stores/{storeId}/order-views'> {
  return {
    'GET /stores/{storeId}/order-views': async ({ store }) => ({ body: await listViews(db, store.id) }),
    'POST /stores/{storeId}/order-views': async ({ store, body, now }) => ({
      body: await createView(db, store.id, body, now),
    }),
    'PUT /stores/{storeId}/order-views/{viewId}': async ({ store, params, body }) => ({
      body: await changeView(db, store.id, params.viewId, body),
    }),
    'DELETE /stores/{storeId}/order-views/{viewId}': ({ store, params }) => deleteView(db, store.id, params.viewId),
  };
}
