import { Collection, type WithItems } from './collection.ts';
import type * as generated from './contract.generated.ts';
import type { Order, OrderSummary } from './contract.generated.ts';
import { type CallOptions, type CreateOptions, responseOf } from './transport.ts';

export type ProductKey = 'productId' | 'sku' | 'externalProductId';
type NoProductKey = { [Key in ProductKey]?: never };
/** A product by exactly one of its keys. */
export type OneProductKey = {
  [Key in ProductKey]: Omit<NoProductKey, Key> & { [One in Key]: string };
}[ProductKey];

/** A new order line, with exactly one of `productId`, `sku` and `externalProductId`. */
export type OrderCreateItem = Omit<generated.OrderCreateItem, ProductKey> & OneProductKey;

/** A line of the order by its `id`, or a new one. */
export type OrderChangeItem =
  | (Omit<generated.OrderChangeItem, ProductKey | 'id'> & NoProductKey & { id: string })
  | (OrderCreateItem & { id?: never });

/** A new order. */
export interface OrderCreate extends Omit<generated.OrderCreate, 'items'> {
  items: OrderCreateItem[];
}

/** Fields that are not sent stay unchanged. */
export interface OrderChange extends Omit<generated.OrderChange, 'items'> {
  items?: OrderChangeItem[];
}

export type OrderWithItems = WithItems<Order>;

export interface ChangeOptions extends CallOptions {
  /**
   * The order as `get`, `create` or `change` returned it, or its ETag. If the order has changed since, the change fails
   * with `precondition_failed`.
   */
  ifMatch?: object | string | undefined;
}

export class Orders extends Collection<'listOrders', 'readOrder'> {
  /**
   * Creates an order, with retries: any number of requests with the same `externalId` creates one order, and
   * `responseOf(order).replayed` is true for all but the first. Without an `externalId`, `idempotencyKey` does the same
   * for 24 hours; its default is new for each call.
   *
   * A key without the right `orders:read` gets an `OrderSummary` from a retry; check `'items' in order`.
   */
  async create(order: OrderCreate, options?: CreateOptions): Promise<OrderWithItems | OrderSummary> {
    const isIdentified = Boolean(order.externalId);
    return (await this.call('createOrder', { body: order, isIdentified }, options)).data as
      | OrderWithItems
      | OrderSummary;
  }

  /**
   * Changes only the fields passed. With `ifMatch` it is retried. If the first attempt succeeded but its response was
   * lost, the retry fails with `precondition_failed`: read the order.
   *
   * A key without the right `orders:read` gets an `OrderSummary`; check `'items' in order`.
   */
  async change(
    id: string,
    change: OrderChange,
    { ifMatch, ...options }: ChangeOptions = {},
  ): Promise<OrderWithItems | OrderSummary> {
    const etag = typeof ifMatch === 'object' ? responseOf(ifMatch).etag : ifMatch;
    const input = { id, body: change, ifMatch: etag };
    return (await this.call('changeOrder', input, options)).data as OrderWithItems | OrderSummary;
  }
}
