import { type ApiHandlers, onePage } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import { readPage } from '../http/read-page.ts';
import type { Services } from '../services.ts';
import { listCategories } from './categories.ts';
import { changeStock } from './change-stock.ts';
import { listProducts, readProduct } from './products.ts';

type CatalogHandlers = Pick<ApiHandlers, 'listProducts' | 'readProduct' | 'listCategories' | 'changeStock'>;

export function catalogRoutes(services: Services): CatalogHandlers {
  const { db } = services;
  return {
    async listProducts(call) {
      const { caller, query } = call;
      return { body: await readPage(services, call, (db) => listProducts(db, services, shopOf(caller), query)) };
    },
    readProduct: async ({ caller, params, query }) => ({
      body: { data: await readProduct(db, shopOf(caller), params.id, { withStock: query.with === 'stock' }) },
    }),
    listCategories: async ({ caller }) => onePage(await listCategories(db, caller.store_id)),
    changeStock: ({ caller, actor, body, now, write }) =>
      write.plan(changeStock({ storeId: caller.store_id, change: body, kind: 'api', actor, now }), (data) => ({
        body: { data },
      })),
  };
}

const shopOf = (caller: KeyCaller) => ({ storeId: caller.store_id, currency: caller.currency });
