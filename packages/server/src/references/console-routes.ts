import type { ConsoleHandlersAt } from '../http/bind.ts';
import { versioned } from '../http/if-match.ts';
import type { Services } from '../services.ts';
import type { StoreRow } from '../tenants.ts';
import { allDeliveryTypes, changeDeliveryType, createDeliveryType } from './delivery-types.ts';
import { allPaymentTypes, createPaymentType, switchPaymentType } from './payment-types.ts';
import type { StoreScope } from './shared-types.ts';
import { changeWarehouse, createWarehouse, listWarehouses } from './warehouses.ts';

type ReferenceRoutes = ConsoleHandlersAt<
  '/stores/{storeId}/delivery-types' | '/stores/{storeId}/payment-types' | '/stores/{storeId}/warehouses'
>;

/** Delivery and payment types, which the owner's stores share, and the warehouses of one store. */
export const referenceConsoleRoutes = ({ db }: Services): ReferenceRoutes => ({
  'GET /stores/{storeId}/delivery-types': async ({ store }) => ({
    body: (await allDeliveryTypes(db, scopeOf(store))).map(versioned),
  }),
  'POST /stores/{storeId}/delivery-types': async ({ store, actor, body, now }) => ({
    body: versioned(await createDeliveryType(db, scopeOf(store), body, actor, now)),
  }),
  'PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}': async ({ store, actor, params, body, now, ifMatch }) => ({
    body: versioned(await changeDeliveryType(db, scopeOf(store), params.deliveryTypeId, body, actor, now, ifMatch)),
  }),

  'GET /stores/{storeId}/payment-types': async ({ store }) => ({ body: await allPaymentTypes(db, scopeOf(store)) }),
  'POST /stores/{storeId}/payment-types': async ({ store, actor, body, now }) => ({
    body: await createPaymentType(db, scopeOf(store), body, actor, now),
  }),
  'PATCH /stores/{storeId}/payment-types/{paymentTypeId}': async ({ store, actor, params, body, now }) => ({
    body: await switchPaymentType(db, scopeOf(store), params.paymentTypeId, body.isActive, actor, now),
  }),

  'GET /stores/{storeId}/warehouses': async ({ store }) => ({
    body: (await listWarehouses(db, store.id)).map(versioned),
  }),
  'POST /stores/{storeId}/warehouses': async ({ store, actor, body, now }) => ({
    body: versioned(await createWarehouse(db, store.id, body, actor, now)),
  }),
  'PATCH /stores/{storeId}/warehouses/{warehouseId}': async ({ store, actor, params, body, now, ifMatch }) => ({
    body: versioned(await changeWarehouse(db, store.id, params.warehouseId, body, actor, now, ifMatch)),
  }),
});

const scopeOf = (store: StoreRow): StoreScope => ({ ownerId: store.owner_id, storeId: store.id });
