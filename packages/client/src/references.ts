import type { Operations } from './contract.generated.ts';
import type { Call, CallOptions } from './transport.ts';

type Name = keyof Operations;
type Data<Of extends Name> = Promise<Operations[Of]['answer']['data']>;
type BodyOf<Of extends Name> = Operations[Of]['body'];

/** The reference lists. They are short: each comes whole. Writes are never repeated unless the service refused them unread. */
export function references(call: Call) {
  const list =
    <Of extends Name>(name: Of) =>
    async (options?: CallOptions): Data<Of> =>
      (await call(name, {}, options)).data;
  const create =
    <Of extends Name>(name: Of) =>
    async (record: BodyOf<Of>, options?: CallOptions): Data<Of> =>
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
      change: change('changeOrderStatus'),
    },
    paymentStatuses: {
      list: list('listPaymentStatuses'),
      create: create('createPaymentStatus'),
      change: change('changePaymentStatus'),
    },
    categories: { list: list('listCategories') },
    warehouses: { list: list('listWarehouses'), create: create('createWarehouse') },
  };
}
