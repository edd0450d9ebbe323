import { columnTypes, type Engine, strict } from './frozen.ts';

/** The terms that an order is found by. Orders that exist are indexed after the start: see orders/index-orders.ts. */
export const orderSearch = {
  name: 'order-search',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer } = columnTypes[engine];
    // The position up to which the changes of a store are indexed.
    const position = `updated_at ${instant} not null default 0, seq ${integer} not null default 0`;
    if (engine === 'sqlite')
      return [
        // The number makes the row ids of a store one range of the index.
        `create table order_search_stores (
           number ${integer} primary key,
           store_id ${uuid} not null unique references stores (id),
           ${position}
         )${strict[engine]}`,
        "create virtual table order_search using fts5 (terms, detail = none, columnsize = 0, tokenize = 'ascii')",
        // Half the writes of the default for the transactions of single orders.
        "insert into order_search (order_search, rank) values ('automerge', 8)",
      ];
    return [
      `create table order_search_stores (store_id ${uuid} primary key references stores (id), ${position})`,
      `create table order_search (
         store_id ${uuid} not null references stores (id),
         number ${integer} not null,
         terms tsvector not null,
         primary key (store_id, number)
       )`,
      // A small list of pending entries: a search reads all of it, and the write that fills it empties it.
      'create index order_search_terms on order_search using gin (terms) with (gin_pending_list_limit = 512)',
    ];
  },
};
