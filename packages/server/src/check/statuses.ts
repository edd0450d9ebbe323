import { join, raw, sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

const tables = [
  { table: 'order_statuses', column: 'status_id', systemCount: 6 },
  { table: 'payment_statuses', column: 'payment_status_id', systemCount: 4 },
] as const;

export const statuses: readonly Rule[] = [
  {
    kind: 'system_status_missing',
    promise: 'every store has the system statuses',
    broken: (_, { storeId }) =>
      join(
        tables.map(
          ({ table, systemCount }) =>
            sql`select s.id as store_id, s.id, ${`has not all system statuses in ${table}`} as message from stores s
                where (select count(*) from ${raw(table)} t where t.store_id = s.id and t.code is not null) <> ${raw(String(systemCount))}
                ${storeId ? sql`and s.id = ${storeId}` : sql``}`,
        ),
        ' union all ',
      ),
  },
  {
    kind: 'order_in_disabled_status',
    promise: 'no order is in a disabled status',
    broken: (_, scope) =>
      join(
        tables.map(
          ({ table, column }) =>
            sql`select o.store_id, o.id, 'order ' || o.number || ${` is in a disabled status of ${table}`} as message
                from orders o join ${raw(table)} t on t.store_id = o.store_id and t.id = o.${raw(column)}
                where not t.is_active ${inScope(scope, 'o')}`,
        ),
        ' union all ',
      ),
  },
];
