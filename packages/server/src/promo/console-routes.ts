import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { lookUpPromo } from './apply-promo.ts';
import { createPromoCode, promoCodePage, switchPromoCode } from './promo-codes.ts';

type PromoRoutes = ConsoleHandlersAt<'/stores/{storeId}/promo-codes' | '/stores/{storeId}/orders/promo-code'>;

export function promoConsoleRoutes(services: Services): PromoRoutes {
  const { db, limit } = services;
  return {
    // The revenue is summed up over all orders of the codes.
    'GET /stores/{storeId}/promo-codes': async ({ store, query }) => ({
      body: await limit('slowRead', store.id, () => promoCodePage(services, store.id, query)),
    }),
    'POST /stores/{storeId}/promo-codes': async ({ store, actor, body, now }) => ({
      body: { ...(await createPromoCode(db, store.id, body, now, actor)), revenue: 0 },
    }),
    'PATCH /stores/{storeId}/promo-codes/{promoCodeId}': async ({ store, actor, params, body, now }) => ({
      body: await switchPromoCode(db, params.promoCodeId, body.isActive, now, { storeId: store.id, actor }),
    }),
    'GET /stores/{storeId}/orders/promo-code': async ({ store, query, now }) => ({
      body: await lookUpPromo(db, store.id, query.code, now),
    }),
  };
}
