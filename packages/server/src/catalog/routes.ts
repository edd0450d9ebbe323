import { afterRepair } from '../db/after-repair.ts';
import { type ApiHandlers, onePage } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import type { Services } from '../services.ts';
import { listCategories } from './categories.ts';
import { listProducts, readProduct } from './products.ts';

export const catalogRoutes = ({
  db,
  ...paging
}: Services): Pick<ApiHandlers, 'listProducts' | 'readProduct' | 'listCategories'> => ({
  listProducts: async ({ caller, query }) => ({
    body: await listProducts(db, paging, shopOf(caller), afterRepair(paging.cursors, 'products', caller, query)),
  }),
  readProduct: async ({ caller, params }) => ({ body: { data: await readProduct(db, shopOf(caller), params.id) } }),
  listCategories: async ({ caller }) => onePage(await listCategories(db, caller.store_id)),
});

const shopOf = (caller: KeyCaller) => ({ storeId: caller.store_id, currency: caller.currency });
