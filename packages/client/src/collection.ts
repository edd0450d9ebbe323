import type { Operations, Page } from './contract.generated.ts';
import { type Batch, walk } from './sync.ts';
import type { Call, CallOptions } from './transport.ts';

/** Orders carry their items when asked to; other records have none. */
export type WithItems<Item> = Item & Required<Pick<Item, Extract<keyof Item, 'items'>>>;
type Shown<List extends ListName, With> = With extends 'items' ? WithItems<ItemOf<List>> : ItemOf<List>;
type QueryOf<List extends ListName, With> = Asked<Operations[List]['query'], With>;
/** The parameters with `with` as it is given, so that the answer can be typed by it; lists without it have none. */
type Asked<Query, With> = 'with' extends keyof Query ? Omit<Query, 'with'> & { with?: With } : Query;
type SyncQuery<List extends ListName, With> = 'with' extends keyof Operations[List]['query']
  ? SyncOptions & { with?: With }
  : SyncOptions;

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
  list<With extends 'items' | undefined = undefined>(
    query?: QueryOf<List, With>,
    options?: CallOptions,
  ): Promise<Listed<Shown<List, With>>> {
    return this.#page(query, options);
  }

  /** Every record that fits, page by page as you go: `for await (const order of client.orders.all({ … }))`. */
  async *all<With extends 'items' | undefined = undefined>(
    query?: QueryOf<List, With>,
    options?: CallOptions,
  ): AsyncGenerator<Shown<List, With>, void, undefined> {
    let cursor = (query as Operations[List]['query'] | undefined)?.cursor;
    do {
      const listed: Listed<Shown<List, With>> = await this.#page({ ...query, cursor }, options);
      yield* listed.data;
      cursor = listed.page.nextCursor ?? undefined;
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
  async *sync<With extends 'items' | undefined = undefined>(
    options?: SyncQuery<List, With>,
  ): AsyncGenerator<Batch<Shown<List, With>>, void, undefined> {
    const { bookmark, limit = 100, signal, timeout, retries, requestId, ...rest }: SyncOptions = options ?? {};
    const calls = { signal, timeout, retries, requestId };
    const source = {
      list: this.#names.list.slice('list'.length).toLowerCase(),
      storeId: await this.#storeId(),
      page: (place: object) => this.#page<With>({ ...rest, ...place, limit, order: 'updatedAt:asc' }, calls),
    };
    yield* walk(source, bookmark);
  }

  #page<With>(query: object | undefined, options: CallOptions | undefined): Promise<Listed<Shown<List, With>>> {
    const sending = { query: query as Operations[List]['query'] };
    return this.call(this.#names.list, sending, options) as Promise<Listed<Shown<List, With>>>;
  }
}

export type ItemOf<List extends ListName> = Operations[List]['answer']['data'][number];
