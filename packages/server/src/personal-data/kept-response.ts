import type { Order } from '@store-sales/contract';
import { withoutPerson } from '../orders/write/erase-orders.ts';

/** The customer of an order in a response. A quote in a text is escaped, so nobody can write this into one. */
const customerOf = /"customer":\{"id":"([0-9a-f-]{36})"/;

/** Whether a kept response shows an order of one of these customers. */
export function isAbout(body: string | null, customerIds: ReadonlySet<string>): body is string {
  const [, id] = (body && customerOf.exec(body)) ?? [];
  return id !== undefined && customerIds.has(id);
}

/** A response to the creation of an order, of the API or of the console, without what is about the person. */
export function withoutPersonIn(body: string): string {
  const response = JSON.parse(body) as { data: Order } | { order: Order };
  const without = (order: Order): Order => {
    const erased = withoutPerson(order);
    return { ...erased, delivery: { ...erased.delivery, trackingUrl: '' } };
  };
  return JSON.stringify(
    'order' in response
      ? { ...response, order: without(response.order) }
      : { ...response, data: without(response.data) },
  );
}
