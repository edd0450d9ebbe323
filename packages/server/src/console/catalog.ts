import {
  ChangeCategory,
  ChangeProduct,
  CreateCategory,
  CreateProduct,
  ProductPageQuery,
} from '@store-sales/contract/console';
import type { StoreRow } from '../accounts/stores.ts';
import { changeCategory, createCategory, deleteCategory } from '../catalog/edit-categories.ts';
import { changeProduct, createProduct, type Edit } from '../catalog/edit-products.ts';
import { findProducts } from '../catalog/find-products.ts';
import { readProduct, type Shop } from '../catalog/products.ts';
import { listCategories } from '../references/categories.ts';
import type { Services } from '../services.ts';
import { actorOf, type Call, type Route, route } from './api.ts';

const products = '/stores/:storeId/products';
const categories = '/stores/:storeId/categories';

/** Products and categories of a store. */
export const catalogRoutes = (services: Services): Route[] => [...productRoutes(services), ...categoryRoutes(services)];

const productRoutes = ({ db, ...paging }: Services): Route[] => [
  route({
    method: 'GET',
    path: products,
    who: 'store',
    query: ProductPageQuery,
    handle: ({ store, query }) => findProducts(db, paging, shopOf(store), query),
  }),
  route({
    method: 'POST',
    path: products,
    who: 'store',
    body: CreateProduct,
    async handle({ store, body, reply, ...call }) {
      const id = await createProduct(db, body, editIn({ store, ...call }));
      reply.code(201);
      return readProduct(db, shopOf(store), id);
    },
  }),
  route({
    method: 'GET',
    path: `${products}/:productId`,
    who: 'store',
    handle: ({ store, params }) => readProduct(db, shopOf(store), params.productId as string),
  }),
  route({
    method: 'PATCH',
    path: `${products}/:productId`,
    who: 'store',
    body: ChangeProduct,
    async handle({ store, params, body, ...call }) {
      const id = params.productId as string;
      await changeProduct(db, id, body, editIn({ store, ...call }));
      return readProduct(db, shopOf(store), id);
    },
  }),
];

/** Every change returns the whole tree, which is short and may have changed elsewhere. */
const categoryRoutes = ({ db }: Services): Route[] => [
  route({
    method: 'GET',
    path: categories,
    who: 'store',
    handle: ({ store }) => listCategories(db, store.id),
  }),
  route({
    method: 'POST',
    path: categories,
    who: 'store',
    body: CreateCategory,
    async handle({ store, body, reply, ...call }) {
      await createCategory(db, body, editIn({ store, ...call }));
      reply.code(201);
      return listCategories(db, store.id);
    },
  }),
  route({
    method: 'PATCH',
    path: `${categories}/:categoryId`,
    who: 'store',
    body: ChangeCategory,
    async handle({ store, params, body, ...call }) {
      await changeCategory(db, params.categoryId as string, body, editIn({ store, ...call }));
      return listCategories(db, store.id);
    },
  }),
  route({
    method: 'DELETE',
    path: `${categories}/:categoryId`,
    who: 'store',
    async handle({ store, params, ...call }) {
      await deleteCategory(db, params.categoryId as string, editIn({ store, ...call }));
      return listCategories(db, store.id);
    },
  }),
];

const shopOf = ({ id, currency }: StoreRow): Shop => ({ storeId: id, currency });

type Editing = Pick<Call<'store', never, never>, 'store' | 'session' | 'now'>;
const editIn = ({ store, session, now }: Editing): Edit => ({ storeId: store.id, actor: actorOf(session), now });
