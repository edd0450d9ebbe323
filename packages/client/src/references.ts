import type { Operations } from './operations.ts';
import type { Call, CallOptions, CreateOptions } from './transport.ts';

type Name = keyof Operations;
type Data<Of extends Name> = Promise<Operations[Of]['response']['data']>;
type BodyOf<Of extends Name> = Operations[Of]['body'];

/** The reference lists, which are not paged. Creations are retried; changes only after 429. */
export function references(call: Call) {
  const list =
    <Of extends Name>(name: Of) =>
    async (options?: CallOptions): Data<Of> =>
      (await call(name, {}, options)).data;
  const create =
    <Of extends Name>(name: Of) =>
    async (record: BodyOf<Of>, options?: CreateOptions): Data<Of> =>
      (await call(name, { body: record }, options)).data;
  const change =
    <Of extends Name>(name: Of) =>
    async (id: string, changes: BodyOf<Of>, options?: CallOptions): Data<Of> =>
      (await call(name, { id, body: changes }, options)).data;

  return {
    deliveryTypes: { list: list('listDeliveryTypes'), change: change('changeDeliveryType') },
    paymentTypes: { list: list('listPaymentTypes'), create: create('createPaymentType') },
    orderStatuses: {
      list: list('listOrderStatuses'),
      create: create('createOrderStatus'),
      change: change('changeOrderStatusRecord'),
    },
    paymentStatuses: {
      list: list('listPaymentStatuses'),
      create: create('createPaymentStatus'),
      change: change('changePaymentStatusRecord'),
    },
    categories: { list: list('listCategories') },
    warehouses: { list: list('listWarehouses'), create: create('createWarehouse') },
  };
}
