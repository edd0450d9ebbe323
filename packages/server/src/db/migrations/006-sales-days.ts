import { columnTypes, type Engine, strict } from './frozen.ts';

/** Sales of past days by status or by product, as of a change number of the store. */
export const salesDays = {
  name: 'sales-days',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, text } = columnTypes[engine];
    return [
      `create table sales_days (
         store_id ${uuid} not null references stores (id),
         kind ${text} not null,
         day_at ${instant} not null,
         seq ${integer} not null,
         ts ${instant} not null,
         sums ${text} not null,
         primary key (store_id, kind, day_at)
       )${strict[engine]}`,
    ];
  },
};
