import { Collection, type WithItems } from './collection.ts';
import type { Order, OrderChange, OrderCreate, OrderSummary } from './contract.generated.ts';
import { type CallOptions, responseOf } from './transport.ts';

export type OrderWithItems = WithItems<Order>;

export interface ChangeOptions extends CallOptions {
  /**
   * Change only what you have read: the order as `get`, `create` or `change` returned it, or its ETag. If somebody
   * else was faster, the change is refused with `precondition_failed`.
   */
  ifMatch?: object | string | undefined;
}

export class Orders extends Collection<'listOrders', 'readOrder'> {
  /**
   * Creates an order. With an `externalId` this is safe to repeat, and is repeated when the answer gets lost: the
   * service makes one order of any number of such requests (`responseOf(order).replayed` tells the first from the
   * rest). Without one it is sent once.
   *
   * A key without the right `orders:read` gets an `OrderSummary` from a repeat, which `'items' in order` tells.
   */
  async create(order: OrderCreate, options?: CallOptions): Promise<OrderWithItems | OrderSummary> {
    const repeat = order.externalId ? 'safe' : 'unsafe';
    return (await this.call('createOrder', { body: order, repeat }, options)).data as OrderWithItems | OrderSummary;
  }

  /**
   * Changes the fields passed and no others. With `ifMatch` it is repeated when the answer gets lost; if the first
   * attempt had got through after all, the repeat is refused with `precondition_failed`: read the order and see.
   *
   * A key without the right `orders:read` gets an `OrderSummary`, which `'items' in order` tells.
   */
  async change(
    id: string,
    change: OrderChange,
    { ifMatch, ...options }: ChangeOptions = {},
  ): Promise<OrderWithItems | OrderSummary> {
    const etag = typeof ifMatch === 'object' ? responseOf(ifMatch).etag : ifMatch;
    const sending = { id, body: change, ifMatch: etag, repeat: etag ? 'safe' : 'unsafe' } as const;
    return (await this.call('changeOrder', sending, options)).data as OrderWithItems | OrderSummary;
  }
}
