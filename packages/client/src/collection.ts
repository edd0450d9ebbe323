import type { Operations, Page } from './contract.generated.ts';
import { type Batch, walk } from './sync.ts';
import type { Call, CallOptions } from './transport.ts';

/** Orders carry their items when asked to; other records have none. */
export type WithItems<Item> = Item & Required<Pick<Item, Extract<keyof Item, 'items'>>>;
type Shown<Item, Query> = Query extends { with: 'items' } ? WithItems<Item> : Item;

export interface Listed<Item> {
  data: Item[];
  page: Page;
}

export interface SyncOptions extends CallOptions {
  /** Where the last run ended; everything from the beginning without it. */
  bookmark?: string | undefined;
  /** Most records in one batch, 1 to 100. Default 100. */
  limit?: number | undefined;
}

type ListName = 'listOrders' | 'listProducts' | 'listCustomers';
type ReadName = 'readOrder' | 'readProduct' | 'readCustomer';

/** A paged list of the store: orders, products or customers. */
export class Collection<List extends ListName, Read extends ReadName> {
  protected readonly call: Call;
  readonly #names: { list: List; read: Read };
  readonly #storeId: () => Promise<string>;

  constructor(call: Call, names: { list: List; read: Read }, storeId: () => Promise<string>) {
    this.call = call;
    this.#names = names;
    this.#storeId = storeId;
  }

  /** One page, newest first unless `order` says otherwise. */
  list<Query extends Operations[List]['query']>(
    query?: Query,
    options?: CallOptions,
  ): Promise<Listed<Shown<ItemOf<List>, Query>>> {
    return this.call(this.#names.list, { query }, options) as Promise<Listed<Shown<ItemOf<List>, Query>>>;
  }

  /** Every record that fits, page by page as you go: `for await (const order of client.orders.all({ … }))`. */
  async *all<Query extends Operations[List]['query']>(
    query?: Query,
    options?: CallOptions,
  ): AsyncGenerator<Shown<ItemOf<List>, Query>, void, undefined> {
    let cursor: string | null | undefined = query?.cursor;
    do {
      const listed: Listed<Shown<ItemOf<List>, Query>> = await this.list<Query>({ ...query, cursor } as Query, options);
      yield* listed.data;
      cursor = listed.page.nextCursor;
    } while (cursor);
  }

  /** One record. For a product, `id` is its id, its external id or its article. */
  async get(id: string, options?: CallOptions): Promise<WithItems<ItemOf<List>>> {
    const { data } = await this.call(this.#names.read, { id }, options);
    return data as unknown as WithItems<ItemOf<List>>;
  }

  /**
   * What has changed since the bookmark, in the order of the changes, up to now. Never misses a change and never
   * brings the same version twice. A record that changes meanwhile comes again at the end, as it is then.
   */
  async *sync<
    Options extends SyncOptions & Pick<Operations[List]['query'], Extract<'with', keyof Operations[List]['query']>>,
  >(options?: Options): AsyncGenerator<Batch<Shown<ItemOf<List>, Options>>, void, undefined> {
    const { bookmark, limit = 100, signal, timeout, retries, requestId, ...rest } = options ?? ({} as Options);
    const calls = { signal, timeout, retries, requestId };
    const source = {
      list: this.#names.list.slice('list'.length).toLowerCase(),
      storeId: await this.#storeId(),
      page: (place: object) =>
        this.list({ ...rest, ...place, limit, order: 'updatedAt:asc' } as Operations[List]['query'], calls) as Promise<
          Listed<Shown<ItemOf<List>, Options>>
        >,
    };
    yield* walk(source, bookmark);
  }
}

export type ItemOf<List extends ListName> = Operations[List]['answer']['data'][number];
