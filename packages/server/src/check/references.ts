import { join, raw, sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

/** Which column refers to a record of which table, in the same store. */
export const references: readonly [table: string, column: string, target: string][] = [
  ['orders', 'status_id', 'order_statuses'],
  ['orders', 'payment_status_id', 'payment_statuses'],
  ['orders', 'customer_id', 'customers'],
  ['orders', 'promo_code_id', 'promo_codes'],
  ['order_lines', 'order_id', 'orders'],
  ['order_lines', 'product_id', 'products'],
  ['order_lines', 'warehouse_id', 'warehouses'],
  ['stock', 'product_id', 'products'],
  ['stock', 'warehouse_id', 'warehouses'],
  ['stock_movements', 'product_id', 'products'],
  ['stock_movements', 'warehouse_id', 'warehouses'],
  ['stock_movements', 'order_id', 'orders'],
  ['shop_orders', 'order_id', 'orders'],
  ['status_mails', 'status_id', 'order_statuses'],
  ['customers', 'merged_into_id', 'customers'],
  ['pictures', 'product_id', 'products'],
  ['picture_files', 'picture_id', 'pictures'],
  ['products', 'category_id', 'categories'],
  ['categories', 'parent_id', 'categories'],
  ['deliveries', 'event_id', 'events'],
  ['deliveries', 'endpoint_id', 'webhook_endpoints'],
  ['attempts', 'delivery_id', 'deliveries'],
  ['endpoint_notices', 'endpoint_id', 'webhook_endpoints'],
  ['endpoint_hours', 'endpoint_id', 'webhook_endpoints'],
];

export const referencesBetweenRecords: readonly Rule[] = [
  {
    kind: 'refers_to_nothing',
    promise: 'nothing refers to a record that does not exist, or that belongs to another store',
    broken: (_, scope) =>
      join(
        references.map(
          ([table, column, target]) =>
            sql`select t.store_id, t.${raw(column)} as id,
                  ${`${table}.${column} refers to no record of ${target} in its store`} as message
                from ${raw(table)} t left join ${raw(target)} r on r.store_id = t.store_id and r.id = t.${raw(column)}
                where t.${raw(column)} is not null and r.id is null ${inScope(scope, 't')}`,
        ),
        ' union all ',
      ),
  },
  {
    kind: 'type_of_another_owner',
    promise: 'a store offers only the delivery and payment types of its owner',
    broken: (_, scope) =>
      join(
        ['delivery', 'payment'].map(
          (kind) =>
            sql`select t.store_id, t.${raw(`${kind}_type_id`)} as id, ${`a ${kind} type of another owner`} as message
                from ${raw(`store_${kind}_types`)} t join stores s on s.id = t.store_id
                left join ${raw(`${kind}_types`)} r on r.owner_id = s.owner_id and r.id = t.${raw(`${kind}_type_id`)}
                where r.id is null ${inScope(scope, 't')}`,
        ),
        ' union all ',
      ),
  },
];
