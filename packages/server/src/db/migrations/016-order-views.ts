import { columnTypes, type Engine, strict } from './frozen.ts';

/** Saved views of the order list. `view` is JSON: filters, sort and columns. */
export const orderViews = {
  name: 'order-views',
  statements(engine: Engine): string[] {
    const { uuid, instant, text } = columnTypes[engine];
    return [
      `create table order_views (
         store_id ${uuid} not null references stores (id),
         id ${uuid} not null,
         name ${text} not null,
         name_key ${text} not null,
         view ${text} not null,
         created_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, name_key)
       )${strict[engine]}`,
    ];
  },
};
