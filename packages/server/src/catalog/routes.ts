import { afterRepair } from '../db/after-repair.ts';
import type { Handlers } from '../http/bind.ts';
import type { Caller } from '../keys/authenticate.ts';
import type { Services } from '../services.ts';
import { listProducts, readProduct } from './products.ts';

export const catalogRoutes = ({ db, ...paging }: Services): Pick<Handlers, 'listProducts' | 'readProduct'> => ({
  listProducts: async ({ caller, query }) => ({
    body: await listProducts(db, paging, shopOf(caller), afterRepair(paging.cursors, 'products', caller, query)),
  }),
  readProduct: async ({ caller, id }) => ({ body: { data: await readProduct(db, shopOf(caller), id) } }),
});

const shopOf = (caller: Caller) => ({ storeId: caller.store_id, currency: caller.currency });
