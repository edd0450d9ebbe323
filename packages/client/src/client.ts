import { Collection } from './collection.ts';
import type { Credentials } from './contract.generated.ts';
import { Orders } from './orders.ts';
import { references } from './references.ts';
import { type CallOptions, type StoreSalesOptions, transport } from './transport.ts';

/** Client for the store of an API key. */
export class StoreSales {
  /** The API key. */
  readonly credentials: { check(options?: CallOptions): Promise<Credentials> };
  readonly orders: Orders;
  readonly products: Collection<'listProducts', 'readProduct'>;
  readonly customers: Collection<'listCustomers', 'readCustomer'>;
  readonly references: ReturnType<typeof references>;

  constructor(options: StoreSalesOptions) {
    const call = transport(options);
    this.credentials = { check: async (callOptions) => (await call('checkKey', {}, callOptions)).data };

    // The store of a key never changes, so it is requested once.
    let cached: Promise<string> | undefined;
    const storeId = () => {
      cached ??= this.credentials.check().then(({ store }) => store.id);
      cached.catch(() => {
        cached = undefined;
      });
      return cached;
    };
    this.orders = new Orders(call, { list: 'listOrders', read: 'readOrder' }, storeId);
    this.products = new Collection(call, { list: 'listProducts', read: 'readProduct' }, storeId);
    this.customers = new Collection(call, { list: 'listCustomers', read: 'readCustomer' }, storeId);
    this.references = references(call);
  }
}
