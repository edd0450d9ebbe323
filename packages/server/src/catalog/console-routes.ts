import { orSuggest } from '../db/search/suggest.ts';
import type { PictureReceiver } from '../files/receive-picture.ts';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { MemberCaller } from '../http/callers.ts';
import { csvResponse } from '../imports/console-export.ts';
import { fileImport, type ImportSlots } from '../imports/console-import.ts';
import type { Services } from '../services.ts';
import { stockOfProduct } from '../stock/product-stock.ts';
import type { StoreRow } from '../tenants.ts';
import { countProducts, listCategories } from './categories.ts';
import { changeStock } from './change-stock.ts';
import { changeCategory, createCategory, deleteCategory } from './edit-categories.ts';
import { changeProduct, changeProducts, createProduct, type Edit } from './edit-products.ts';
import { exportedProducts } from './export-products.ts';
import { findProducts } from './find-products.ts';
import { categoryTable, importCategories } from './import-categories.ts';
import { importProducts, productTable } from './import-products.ts';
import {
  addProductPicture,
  arrangeProductPictures,
  deleteProductPicture,
  listPictures,
  withThumbnails,
} from './product-pictures.ts';
import { readProduct, type Shop } from './products.ts';
import { searchProducts } from './search-products.ts';

type ProductRoutes = Omit<
  ConsoleHandlersAt<'/stores/{storeId}/products' | '/stores/{storeId}/orders/products'>,
  'GET /stores/{storeId}/products/{productId}/movements'
>;
type PictureRoutes = ConsoleHandlersAt<'/stores/{storeId}/products/{productId}/pictures'>;
type CategoryRoutes = ConsoleHandlersAt<'/stores/{storeId}/categories'>;

export const catalogConsoleRoutes = (
  services: Services,
  slots: ImportSlots,
  receivePicture: PictureReceiver,
): ProductRoutes & CategoryRoutes => ({
  ...productRoutes(services, slots),
  ...pictureRoutes(services, receivePicture),
  ...categoryRoutes(services, slots),
});

function pictureRoutes({ db }: Services, receive: PictureReceiver): PictureRoutes {
  const view = async (store: StoreRow, productId: string) => ({
    body: {
      product: await readProduct(db, shopOf(store), productId),
      pictures: await listPictures(db, store.id, productId),
    },
  });
  return {
    'GET /stores/{storeId}/products/{productId}/pictures': async ({ store, params }) => ({
      body: (await view(store, params.productId)).body.pictures,
    }),
    async 'POST /stores/{storeId}/products/{productId}/pictures'(call) {
      const { productId } = call.params;
      await receive(call, (guarded, decoded, maxMiB) =>
        addProductPicture(guarded, productId, decoded, editOf(call), maxMiB),
      );
      return view(call.store, productId);
    },
    async 'PUT /stores/{storeId}/products/{productId}/pictures'(call) {
      const { productId } = call.params;
      await arrangeProductPictures(db, productId, call.body, editOf(call));
      return view(call.store, productId);
    },
    async 'DELETE /stores/{storeId}/products/{productId}/pictures/{pictureId}'(call) {
      const { productId, pictureId } = call.params;
      await deleteProductPicture(db, productId, pictureId, editOf(call));
      return view(call.store, productId);
    },
  };
}

function productRoutes(services: Services, slots: ImportSlots): Omit<ProductRoutes, keyof PictureRoutes> {
  const { db } = services;
  return {
    async 'GET /stores/{storeId}/products'({ store, query }) {
      const found = await orSuggest(db, 'products', store.id, query.cursor ? undefined : query.q, (q) =>
        findProducts(db, services, shopOf(store), { ...query, ...(q && { q }) }, store.low_stock),
      );
      return { body: { ...found, data: await withThumbnails(db, store.id, found.data) } };
    },
    async 'POST /stores/{storeId}/products'(call) {
      const id = await createProduct(db, call.body, editOf(call));
      return { body: await readProduct(db, shopOf(call.store), id) };
    },
    async 'GET /stores/{storeId}/products/export'({ store, query, work }) {
      const { columns, pages } = await exportedProducts(db, services, shopOf(store), query, store.low_stock);
      return csvResponse(work, 'products', columns, pages, query.decimal);
    },
    'GET /stores/{storeId}/products/{productId}': async ({ store, params }) => ({
      body: await readProduct(db, shopOf(store), params.productId),
    }),
    async 'PATCH /stores/{storeId}/products/{productId}'(call) {
      const { productId } = call.params;
      await changeProduct(db, productId, call.body, editOf(call), call.ifMatch);
      return { body: await readProduct(db, shopOf(call.store), productId) };
    },
    'PATCH /stores/{storeId}/products': async (call) => ({
      body: { changed: await changeProducts(db, call.body, editOf(call)) },
    }),
    'POST /stores/{storeId}/products/import': fileImport(services, slots, 'products', productTable, importProducts),
    async 'GET /stores/{storeId}/products/{productId}/stock'({ store, params }) {
      const { id } = await readProduct(db, shopOf(store), params.productId);
      return { body: await stockOfProduct(db, store.id, id) };
    },
    async 'POST /stores/{storeId}/products/{productId}/stock'({ store, actor, params, body, now, write }) {
      const { id: storeId } = store;
      const { id: productId } = await readProduct(db, shopOf(store), params.productId);
      const change = { lines: [{ productId, ...body }] };
      return write(async (at) => {
        await at.write(changeStock({ storeId, change, pointerOf: () => '', kind: 'person', actor, now }));
        return { body: await stockOfProduct(at, storeId, productId) };
      });
    },
    'GET /stores/{storeId}/orders/products': async ({ store, query }) => ({
      body: await searchProducts(db, store.id, query.q ?? ''),
    }),
  };
}

function categoryRoutes(services: Services, slots: ImportSlots): CategoryRoutes {
  const { db } = services;
  const tree = async ({ id }: StoreRow) => ({ body: await listCategories(db, id) });
  return {
    'GET /stores/{storeId}/categories': ({ store }) => tree(store),
    async 'POST /stores/{storeId}/categories'(call) {
      await createCategory(db, call.body, editOf(call));
      return tree(call.store);
    },
    async 'PATCH /stores/{storeId}/categories/{categoryId}'(call) {
      await changeCategory(db, call.params.categoryId, call.body, editOf(call), call.ifMatch);
      return tree(call.store);
    },
    async 'DELETE /stores/{storeId}/categories/{categoryId}'(call) {
      await deleteCategory(db, call.params.categoryId, editOf(call));
      return tree(call.store);
    },
    'GET /stores/{storeId}/categories/counts': async ({ store }) => ({
      body: { counts: await countProducts(db, store.id) },
    }),
    'POST /stores/{storeId}/categories/import': fileImport(
      services,
      slots,
      'categories',
      categoryTable,
      importCategories,
    ),
  };
}

const shopOf = ({ id, currency }: StoreRow): Shop => ({ storeId: id, currency });

const editOf = ({ store, actor, now }: MemberCaller & { now: number }): Edit => ({
  storeId: store.id,
  actor,
  now,
});
