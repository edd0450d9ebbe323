import type { Page } from './contract.generated.ts';
import type { Operations } from './operations.ts';
import { type Batch, changesSince } from './sync.ts';
import type { Call, CallOptions } from './transport.ts';

/** Makes `items` required; only orders have it. */
export type WithItems<Item> = Item & Required<Pick<Item, Extract<keyof Item, 'items'>>>;
type ListedItem<List extends ListName, With> = With extends 'items' ? WithItems<ItemOf<List>> : ItemOf<List>;
type QueryOf<List extends ListName, With> = TypedWith<Operations[List]['query'], With>;
/** Replaces the type of `with`, which determines the type of the records. */
type TypedWith<Query, With> = 'with' extends keyof Query ? Omit<Query, 'with'> & { with?: With } : Query;
type SyncQuery<List extends ListName, With> = 'with' extends keyof Operations[List]['query']
  ? SyncOptions & { with?: With }
  : SyncOptions;

export interface Listed<Item> {
  data: Item[];
  page: Page;
}

export interface SyncOptions extends CallOptions {
  /** The bookmark of the last run; without it, everything from the beginning. */
  bookmark?: string | undefined;
  /** Maximum records per batch, 1 to 100. Default 100. */
  limit?: number | undefined;
}

type ListName = 'listOrders' | 'listProducts' | 'listCustomers';
type ReadName = 'readOrder' | 'readProduct' | 'readCustomer';

/** Orders, products or customers of the store. */
export class Collection<List extends ListName, Read extends ReadName> {
  protected readonly call: Call;
  readonly #names: { list: List; read: Read };
  readonly #storeId: () => Promise<string>;

  constructor(call: Call, names: { list: List; read: Read }, storeId: () => Promise<string>) {
    this.call = call;
    this.#names = names;
    this.#storeId = storeId;
  }

  /** One page, newest first by default. */
  list<With extends 'items' | undefined = undefined>(
    query?: QueryOf<List, With>,
    options?: CallOptions,
  ): Promise<Listed<ListedItem<List, With>>> {
    return this.#page(query, options);
  }

  /** All matching records, requested page by page: `for await (const order of client.orders.all({ … }))`. */
  async *all<With extends 'items' | undefined = undefined>(
    query?: QueryOf<List, With>,
    options?: CallOptions,
  ): AsyncGenerator<ListedItem<List, With>, void, undefined> {
    let cursor = (query as Operations[List]['query'] | undefined)?.cursor;
    do {
      const listed: Listed<ListedItem<List, With>> = await this.#page({ ...query, cursor }, options);
      yield* listed.data;
      cursor = listed.page.nextCursor ?? undefined;
    } while (cursor);
  }

  /** One record. For a product, `id` is its id, external id or SKU. */
  async get(id: string, options?: CallOptions): Promise<WithItems<ItemOf<List>>> {
    const { data } = await this.call(this.#names.read, { id }, options);
    return data as unknown as WithItems<ItemOf<List>>;
  }

  /**
   * All records changed since the bookmark, in the order of their changes. Never misses a change and never yields the
   * same version twice. A record that changes meanwhile is yielded again in its new state.
   */
  async *sync<With extends 'items' | undefined = undefined>(
    options?: SyncQuery<List, With>,
  ): AsyncGenerator<Batch<ListedItem<List, With>>, void, undefined> {
    const { bookmark, limit = 100, signal, timeout, retries, requestId, ...rest }: SyncOptions = options ?? {};
    const calls = { signal, timeout, retries, requestId };
    const source = {
      list: this.#names.list.slice('list'.length).toLowerCase(),
      storeId: await this.#storeId(),
      page: (position: object) => this.#page<With>({ ...rest, ...position, limit, order: 'updatedAt:asc' }, calls),
    };
    yield* changesSince(source, bookmark);
  }

  #page<With>(query: object | undefined, options: CallOptions | undefined): Promise<Listed<ListedItem<List, With>>> {
    const input = { query: query as Operations[List]['query'] };
    return this.call(this.#names.list, input, options) as Promise<Listed<ListedItem<List, With>>>;
  }
}

export type ItemOf<List extends ListName> = Operations[List]['response']['data'][number];
