import type { Dialect } from '../dialect.ts';

/** Sums of days that are over, by status or by product, as they were at a change number of the store. */
export const salesDays = {
  name: 'sales-days',
  statements({ types: { uuid, instant, integer, text }, engine }: Dialect): string[] {
    return [
      `create table sales_days (
         store_id ${uuid} not null references stores (id),
         kind ${text} not null,
         day_at ${instant} not null,
         seq ${integer} not null,
         ts ${instant} not null,
         sums ${text} not null,
         primary key (store_id, kind, day_at)
       )${engine === 'sqlite' ? ' strict' : ''}`,
    ];
  },
};
