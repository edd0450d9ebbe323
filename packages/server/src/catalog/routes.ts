import { afterRepair } from '../db/after-repair.ts';
import { type ApiHandlers, onePage } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import { pageLimits } from '../http/page-limits.ts';
import type { Services } from '../services.ts';
import { listCategories } from './categories.ts';
import { listProducts, readProduct } from './products.ts';

type CatalogHandlers = Pick<ApiHandlers, 'listProducts' | 'readProduct' | 'listCategories'>;

export function catalogRoutes(services: Services): CatalogHandlers {
  const { db, cursors } = services;
  const readWithinLimits = pageLimits(services);
  return {
    async listProducts(call) {
      const { caller } = call;
      const query = afterRepair(cursors, 'products', caller, call.query);
      return { body: await readWithinLimits(call, (source) => listProducts(source, services, shopOf(caller), query)) };
    },
    readProduct: async ({ caller, params }) => ({ body: { data: await readProduct(db, shopOf(caller), params.id) } }),
    listCategories: async ({ caller }) => onePage(await listCategories(db, caller.store_id)),
  };
}

const shopOf = (caller: KeyCaller) => ({ storeId: caller.store_id, currency: caller.currency });
