import type { Dialect } from '../dialect.ts';

/**
 * What a delivery costs PostgreSQL. Half of each page is left for the version of a row that is taken, beside the one that
 * was waiting: no index hears of it then. And a row whose parent belongs to a store need not ask whether there is such
 * a store: every question locks the store's row, which all of its writers share.
 */
export const cheaperDeliveries = {
  name: 'cheaper-deliveries',
  statements({ engine }: Dialect): string[] {
    if (engine !== 'postgres') return [];
    return [
      'alter table deliveries set (fillfactor = 50)',
      ...['orders', 'order_lines', 'deliveries', 'attempts'].map(
        (table) => `alter table ${table} drop constraint if exists ${table}_store_id_fkey`,
      ),
    ];
  },
};
