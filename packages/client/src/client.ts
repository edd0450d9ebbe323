import { Collection, Listing } from './collection.ts';
import type { Credentials } from './contract.generated.ts';
import { Orders } from './orders.ts';
import { references } from './references.ts';
import { stock } from './stock.ts';
import { type CallOptions, type RequestOptions, type StoreSalesOptions, transport } from './transport.ts';

/** Client for the store of an API key. */
export class StoreSales {
  /** The API key. */
  readonly credentials: { check(options?: CallOptions): Promise<Credentials> };
  readonly orders: Orders;
  readonly products: Collection<'listProducts', 'readProduct'>;
  readonly customers: Collection<'listCustomers', 'readCustomer'>;
  /** Events of orders, as they are sent to webhook endpoints. */
  readonly events: Listing<'listEvents'>;
  readonly references: ReturnType<typeof references>;
  readonly stock: ReturnType<typeof stock>;
  readonly #request: ReturnType<typeof transport>['request'];

  constructor(options: StoreSalesOptions) {
    const { call, request } = transport(options);
    this.#request = request;
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
    this.events = new Listing(call, 'listEvents', storeId);
    this.references = references(call);
    this.stock = stock(call);
  }

  /**
   * A request that this version of the client has no method for: `client.request('GET', '/orders', { query })`, with
   * or without `/api/v1` in front. Returns the body of the response. Reads and creations are retried, changes only with `ifMatch` or after 429.
   */
  async request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Body> {
    return (await this.#request(method, path, options)) as Body;
  }
}
