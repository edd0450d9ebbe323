import type { SyncedPage } from './contract.generated.ts';
import type { Operations } from './operations.ts';
import { type Batch, changesSince } from './sync.ts';
import type { Call, CallOptions } from './transport.ts';

/** The field that a value of `with` adds to each record. */
interface Included {
  items: 'items';
  stock: 'stockByWarehouse';
}
type Including<Item, Field> = Item & Required<Pick<Item, Extract<keyof Item, Field>>>;
/** Makes `items` required; only orders have it. */
export type WithItems<Item> = Including<Item, 'items'>;
/** The values of `with` that a list takes. */
type WithOf<List extends ListName> = Operations[List]['query'] extends { with?: infer With } ? With : undefined;
type ListedItem<List extends ListName, With> = With extends keyof Included
  ? Including<ItemOf<List>, Included[With]>
  : ItemOf<List>;
type QueryOf<List extends ListName, With> = TypedWith<Operations[List]['query'], With>;
/** Replaces the type of `with`, which determines the type of the records. */
type TypedWith<Query, With> = 'with' extends keyof Query ? Omit<Query, 'with'> & { with?: With } : Query;
type SyncQuery<List extends ListName, With> = 'with' extends keyof Operations[List]['query']
  ? SyncOptions & { with?: With }
  : SyncOptions;

export interface Listed<Item> {
  data: Item[];
  page: SyncedPage;
}

export interface SyncOptions extends CallOptions {
  /** The bookmark of the last run; without it, everything from the beginning. */
  bookmark?: string | undefined;
  /** Maximum records per batch, 1 to 100. Default 100. */
  limit?: number | undefined;
}

type ListName = 'listOrders' | 'listProducts' | 'listCustomers' | 'listEvents';
type ReadName = 'readOrder' | 'readProduct' | 'readCustomer';

/** A list that can be followed: orders, products, customers or events of the store. */
export class Listing<List extends ListName> {
  protected readonly call: Call;
  readonly #name: List;
  readonly #storeId: () => Promise<string>;
  /** The time that changes are in the order of. */
  readonly #time: 'createdAt' | 'updatedAt';

  constructor(call: Call, name: List, storeId: () => Promise<string>) {
    this.call = call;
    this.#name = name;
    this.#storeId = storeId;
    this.#time = name === 'listEvents' ? 'createdAt' : 'updatedAt';
  }

  /** One page, newest first by default. */
  list<With extends WithOf<List> | undefined = undefined>(
    query?: QueryOf<List, With>,
    options?: CallOptions,
  ): Promise<Listed<ListedItem<List, With>>> {
    return this.#page(query, options);
  }

  /** All matching records, requested page by page: `for await (const order of client.orders.all({ … }))`. */
  async *all<With extends WithOf<List> | undefined = undefined>(
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

  /**
   * All records changed since the bookmark, in the order of their changes. Never misses a change and never yields the
   * same version twice. A record that changes meanwhile is yielded again in its new state.
   */
  async *sync<With extends WithOf<List> | undefined = undefined>(
    options?: SyncQuery<List, With>,
  ): AsyncGenerator<Batch<ListedItem<List, With>>, void, undefined> {
    const { bookmark, limit = 100, signal, timeout, retries, requestId, ...rest }: SyncOptions = options ?? {};
    const calls = { signal, timeout, retries, requestId };
    const time = this.#time;
    const source = {
      list: this.#name.slice('list'.length).toLowerCase(),
      storeId: await this.#storeId(),
      page: ({ cursor, from }: { cursor?: string; from?: string }) =>
        this.#page<With>({ ...rest, cursor, [time]: from && { from }, limit, order: `${time}:asc` }, calls),
      timeOf: (item: ListedItem<List, With>) => (item as Record<typeof time, string>)[time],
    };
    yield* changesSince(source, bookmark);
  }

  #page<With>(query: object | undefined, options: CallOptions | undefined): Promise<Listed<ListedItem<List, With>>> {
    const input = { query: query as Operations[List]['query'] };
    return this.call(this.#name, input, options) as Promise<Listed<ListedItem<List, With>>>;
  }
}

/** Orders, products or customers of the store. */
export class Collection<List extends ListName, Read extends ReadName> extends Listing<List> {
  readonly #read: Read;

  constructor(call: Call, names: { list: List; read: Read }, storeId: () => Promise<string>) {
    super(call, names.list, storeId);
    this.#read = names.read;
  }

  /** One record. For a product, `id` is its id, external id or SKU. */
  async get(id: string, options?: CallOptions): Promise<WithItems<ItemOf<List>>> {
    const { data } = await this.call(this.#read, { id }, options);
    return data as unknown as WithItems<ItemOf<List>>;
  }
}

export type ItemOf<List extends ListName> = Operations[List]['response']['data'][number];
