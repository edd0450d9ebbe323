import { columnTypes, type Engine, strict } from './frozen.ts';

/** The stores' public order pages, which order was made by which form, and the indexes of what visitors browse. */
export const shops = {
  name: 'shops',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, boolean, text } = columnTypes[engine];
    return [
      // `delivery` and `payments` are JSON; null offers every enabled type of the store.
      `create table shops (
         store_id ${uuid} primary key references stores (id),
         slug ${text} not null unique,
         is_enabled ${boolean} not null,
         title ${text} not null default '',
         about ${text} not null default '',
         contacts ${text} not null default '',
         language ${text} not null default 'en',
         accent ${text} not null default '#1864ab',
         smallest_order ${integer} not null default 0,
         delivery ${text},
         payments ${text},
         created_at ${instant} not null,
         updated_at ${instant} not null
       )${strict[engine]}`,
      // The secret of a checkout form becomes the address of its order. Only its hash is stored.
      `create table shop_orders (
         store_id ${uuid} not null references stores (id),
         secret_hash ${text} not null,
         order_id ${uuid} not null,
         created_at ${instant} not null,
         primary key (store_id, secret_hash)
       )${strict[engine]}`,
      'create index products_offered on products (store_id, created_at, id) where is_active',
      'create index products_offered_category on products (store_id, category_id, created_at, id) where is_active',
      'create index categories_parent on categories (store_id, parent_id, created_at, id)',
    ];
  },
};
