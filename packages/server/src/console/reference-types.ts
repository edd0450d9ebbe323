import { DeliveryTypeChange, PaymentTypeCreate, WarehouseCreate } from '@store-sales/contract';
import { ChangePaymentType, ChangeWarehouse, CreateDeliveryType } from '@store-sales/contract/console';
import type { StoreRow } from '../accounts/stores.ts';
import {
  allDeliveryTypes,
  changeDeliveryType,
  createDeliveryType,
  type StoreScope,
} from '../references/delivery-types.ts';
import { allPaymentTypes, createPaymentType, switchPaymentType } from '../references/payment-types.ts';
import { changeWarehouse, createWarehouse, listWarehouses } from '../references/warehouses.ts';
import type { Services } from '../services.ts';
import { actorOf, type Route, route } from './api.ts';

const deliveries = '/stores/:storeId/delivery-types';
const payments = '/stores/:storeId/payment-types';
const warehouses = '/stores/:storeId/warehouses';

/** Delivery and payment types, which the owner's stores share, and the warehouses of one store. */
export function typeRoutes({ db }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: deliveries,
      who: 'store',
      handle: ({ store }) => allDeliveryTypes(db, scopeOf(store)),
    }),
    route({
      method: 'POST',
      path: deliveries,
      who: 'store',
      body: CreateDeliveryType,
      async handle({ store, session, body, reply, now }) {
        const created = await createDeliveryType(db, scopeOf(store), body, actorOf(session), now);
        reply.code(201);
        return created;
      },
    }),
    route({
      method: 'PATCH',
      path: `${deliveries}/:deliveryTypeId`,
      who: 'store',
      body: DeliveryTypeChange,
      handle: ({ store, session, params, body, now }) =>
        changeDeliveryType(db, scopeOf(store), params.deliveryTypeId as string, body, actorOf(session), now),
    }),
    route({
      method: 'GET',
      path: payments,
      who: 'store',
      handle: ({ store }) => allPaymentTypes(db, scopeOf(store)),
    }),
    route({
      method: 'POST',
      path: payments,
      who: 'store',
      body: PaymentTypeCreate,
      async handle({ store, session, body, reply, now }) {
        const created = await createPaymentType(db, scopeOf(store), body, actorOf(session), now);
        reply.code(201);
        return created;
      },
    }),
    route({
      method: 'PATCH',
      path: `${payments}/:paymentTypeId`,
      who: 'store',
      body: ChangePaymentType,
      handle: ({ store, session, params, body, now }) =>
        switchPaymentType(db, scopeOf(store), params.paymentTypeId as string, body.isActive, actorOf(session), now),
    }),
    route({
      method: 'GET',
      path: warehouses,
      who: 'store',
      handle: ({ store }) => listWarehouses(db, store.id),
    }),
    route({
      method: 'POST',
      path: warehouses,
      who: 'store',
      body: WarehouseCreate,
      async handle({ store, session, body, reply, now }) {
        const created = await createWarehouse(db, store.id, body, actorOf(session), now);
        reply.code(201);
        return created;
      },
    }),
    route({
      method: 'PATCH',
      path: `${warehouses}/:warehouseId`,
      who: 'store',
      body: ChangeWarehouse,
      handle: ({ store, session, params, body, now }) =>
        changeWarehouse(db, store.id, params.warehouseId as string, body, actorOf(session), now),
    }),
  ];
}

const scopeOf = (store: StoreRow): StoreScope => ({ ownerId: store.owner_id, storeId: store.id });
