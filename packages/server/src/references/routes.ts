import type { Actor } from '../actor.ts';
import type { Handlers } from '../http/bind.ts';
import type { Caller } from '../keys/authenticate.ts';
import type { Services } from '../services.ts';
import { listCategories } from './categories.ts';
import { changeDeliveryType, listDeliveryTypes, type StoreScope } from './delivery-types.ts';
import type { OrderMover } from './moving.ts';
import { changeOrderStatus, createOrderStatus, listOrderStatuses } from './order-statuses.ts';
import { changePaymentStatus, createPaymentStatus, listPaymentStatuses } from './payment-statuses.ts';
import { createPaymentType, listPaymentTypes } from './payment-types.ts';
import { createWarehouse, listWarehouses } from './warehouses.ts';

type ReferenceHandlers = Pick<
  Handlers,
  | 'listDeliveryTypes'
  | 'changeDeliveryType'
  | 'listPaymentTypes'
  | 'createPaymentType'
  | 'listOrderStatuses'
  | 'createOrderStatus'
  | 'changeOrderStatus'
  | 'listPaymentStatuses'
  | 'createPaymentStatus'
  | 'changePaymentStatus'
  | 'listCategories'
  | 'listWarehouses'
  | 'createWarehouse'
>;

export function referenceRoutes({ db }: Services, moving: OrderMover): ReferenceHandlers {
  return {
    listDeliveryTypes: async ({ caller }) => onePage(await listDeliveryTypes(db, scopeOf(caller))),
    changeDeliveryType: async ({ caller, id, body, now }) =>
      changed(await changeDeliveryType(db, scopeOf(caller), id, body, actorOf(caller), now)),

    listPaymentTypes: async ({ caller }) => onePage(await listPaymentTypes(db, scopeOf(caller))),
    createPaymentType: async ({ caller, body, now }) =>
      created(await createPaymentType(db, scopeOf(caller), body, actorOf(caller), now)),

    listOrderStatuses: async ({ caller }) => onePage(await listOrderStatuses(db, caller.store_id)),
    createOrderStatus: async ({ caller, body, now }) =>
      created(await createOrderStatus(db, caller.store_id, body, actorOf(caller), now)),
    changeOrderStatus: async ({ caller, id, body, now }) => {
      const change = { storeId: caller.store_id, id, fields: body, actor: actorOf(caller), now };
      return changed(await changeOrderStatus(db, moving, change));
    },

    listPaymentStatuses: async ({ caller }) => onePage(await listPaymentStatuses(db, caller.store_id)),
    createPaymentStatus: async ({ caller, body, now }) =>
      created(await createPaymentStatus(db, caller.store_id, body, actorOf(caller), now)),
    changePaymentStatus: async ({ caller, id, body, now }) => {
      const change = { storeId: caller.store_id, id, fields: body, actor: actorOf(caller), now };
      return changed(await changePaymentStatus(db, moving, change));
    },

    listCategories: async ({ caller }) => onePage(await listCategories(db, caller.store_id)),

    listWarehouses: async ({ caller }) => onePage(await listWarehouses(db, caller.store_id)),
    createWarehouse: async ({ caller, body, now }) =>
      created(await createWarehouse(db, caller.store_id, body, actorOf(caller), now)),
  };
}

/** Reference lists are short and returned without paging. */
const onePage = <Shown>(data: Shown[]) => ({ body: { data, page: { nextCursor: null, hasMore: false } } });
const created = <Shown>(data: Shown) => ({ status: 201 as const, body: { data } });
const changed = <Shown>(data: Shown) => ({ body: { data } });

const scopeOf = (caller: Caller): StoreScope => ({ ownerId: caller.owner_id, storeId: caller.store_id });
const actorOf = (caller: Caller): Actor => ({ kind: 'key', id: caller.id });
