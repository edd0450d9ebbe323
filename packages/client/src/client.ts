import { Collection } from './collection.ts';
import type { Credentials } from './contract.generated.ts';
import { Orders } from './orders.ts';
import { references } from './references.ts';
import { type CallOptions, type StoreSalesOptions, transport } from './transport.ts';

/** A store, through the key that opens it. */
export class StoreSales {
  /** The key in use. */
  readonly credentials: { check(options?: CallOptions): Promise<Credentials> };
  readonly orders: Orders;
  readonly products: Collection<'listProducts', 'readProduct'>;
  readonly customers: Collection<'listCustomers', 'readCustomer'>;
  readonly references: ReturnType<typeof references>;

  constructor(options: StoreSalesOptions) {
    const call = transport(options);
    this.credentials = { check: async (given) => (await call('checkKey', {}, given)).data };

    // A key opens one store for good: asked once, for the first bookmark.
    let known: Promise<string> | undefined;
    const storeId = () => {
      known ??= this.credentials.check().then(({ store }) => store.id);
      known.catch(() => {
        known = undefined;
      });
      return known;
    };
    this.orders = new Orders(call, { list: 'listOrders', read: 'readOrder' }, storeId);
    this.products = new Collection(call, { list: 'listProducts', read: 'readProduct' }, storeId);
    this.customers = new Collection(call, { list: 'listCustomers', read: 'readCustomer' }, storeId);
    this.references = references(call);
  }
}
