import { type ApiHandlers, onePage } from '../http/bind.ts';
import type { KeyCaller } from '../http/callers.ts';
import type { Services } from '../services.ts';
import { changeDeliveryType, listDeliveryTypes } from './delivery-types.ts';
import { createPaymentType, listPaymentTypes } from './payment-types.ts';
import type { StoreScope } from './shared-types.ts';
import { createWarehouse, listWarehouses } from './warehouses.ts';

type ReferenceHandlers = Pick<
  ApiHandlers,
  | 'listDeliveryTypes'
  | 'changeDeliveryType'
  | 'listPaymentTypes'
  | 'createPaymentType'
  | 'listWarehouses'
  | 'createWarehouse'
>;

export const referenceRoutes = ({ db }: Services): ReferenceHandlers => ({
  listDeliveryTypes: async ({ caller }) => onePage(await listDeliveryTypes(db, scopeOf(caller))),
  changeDeliveryType: async ({ caller, actor, params, body, now }) => ({
    body: { data: await changeDeliveryType(db, scopeOf(caller), params.id, body, actor, now) },
  }),

  listPaymentTypes: async ({ caller }) => onePage(await listPaymentTypes(db, scopeOf(caller))),
  createPaymentType: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createPaymentType(at, scopeOf(caller), body, actor, now) } })),

  listWarehouses: async ({ caller }) => onePage(await listWarehouses(db, caller.store_id)),
  createWarehouse: ({ caller, actor, body, now, write }) =>
    write(async (at) => ({ body: { data: await createWarehouse(at, caller.store_id, body, actor, now) } })),
});

const scopeOf = (caller: KeyCaller): StoreScope => ({ ownerId: caller.owner_id, storeId: caller.store_id });
