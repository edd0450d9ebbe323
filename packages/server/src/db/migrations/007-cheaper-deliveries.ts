import type { Engine } from './frozen.ts';

/**
 * Makes deliveries cheaper on PostgreSQL. Half of each page is left free, so that claiming a delivery is a HOT update,
 * which changes no index. Foreign keys to `stores` are dropped where the parent row has one: each check locks the
 * store's row, which all writers of the store share.
 */
export const cheaperDeliveries = {
  name: 'cheaper-deliveries',
  statements(engine: Engine): string[] {
    if (engine !== 'postgres') return [];
    return [
      'alter table deliveries set (fillfactor = 50)',
      ...['orders', 'order_lines', 'deliveries', 'attempts'].map(
        (table) => `alter table ${table} drop constraint if exists ${table}_store_id_fkey`,
      ),
    ];
  },
};
