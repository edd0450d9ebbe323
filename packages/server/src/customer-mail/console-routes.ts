import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { readSeller, saveSeller } from './seller.ts';
import { listStatusMails, saveStatusMail } from './status-mails.ts';

type CustomerMailRoutes = ConsoleHandlersAt<'/stores/{storeId}/status-mails' | '/stores/{storeId}/seller'>;

export function customerMailConsoleRoutes({ db }: Services): CustomerMailRoutes {
  return {
    'GET /stores/{storeId}/status-mails': async ({ store }) => ({ body: await listStatusMails(db, store.id) }),
    'PUT /stores/{storeId}/status-mails/{statusId}': async ({ store, actor, params, body, now }) => ({
      body: await saveStatusMail(db, store.id, params.statusId, body, actor, now),
    }),
    'GET /stores/{storeId}/seller': async ({ store }) => ({ body: await readSeller(db, store.id) }),
    'PUT /stores/{storeId}/seller': async ({ store, actor, body, now }) => ({
      body: await saveSeller(db, store, body, actor, now),
    }),
  };
}
