import type { StatusGroup } from '@store-sales/contract';
import type { Queryable, Transaction } from '../../db/database.ts';
import { empty, join, raw, rows, sql } from '../../db/sql.ts';

export interface StatusRow {
  id: string;
  /** Set for system statuses only. */
  code: string | null;
  name: string;
  is_active: boolean;
  sort_order: number;
}

export interface OrderStatusRow extends StatusRow {
  status_group: StatusGroup;
}

export interface PaymentStatusRow extends StatusRow {
  is_paid: boolean;
  color: string;
}

/** The statements on a table of statuses; `own` are the columns that the other table does not have. */
function statusTable<Row extends StatusRow>(name: string, own: readonly (keyof Row & string)[]) {
  const table = raw(name);
  const columns = raw(['id', 'code', 'name', 'is_active', 'sort_order', ...own].join(', '));
  const isGrouped = own.includes('status_group' as keyof Row & string);
  const inGroup = (group: unknown) => (isGrouped ? sql`and status_group = ${group}` : empty);
  const valuesOf = (row: Partial<Row>) =>
    join(
      own.map((column) => sql`${row[column]}`),
      ', ',
    );

  return {
    list: (db: Queryable, storeId: string) =>
      db.all<Row>(sql`select ${columns} from ${table} where store_id = ${storeId} order by sort_order, id`),

    count: async (tx: Transaction, storeId: string) =>
      (await tx.one<{ count: number }>(sql`select count(*) as count from ${table} where store_id = ${storeId}`))
        ?.count ?? 0,

    /** Inserts after the last one, of its group if there are groups; returns undefined if the name is taken. */
    insert: (
      tx: Transaction,
      storeId: string,
      row: { id: string; name: string } & Omit<Row, keyof StatusRow>,
      nameKey: string,
    ) => {
      const group = inGroup((row as unknown as OrderStatusRow).status_group);
      return tx.one<Row>(
        sql`insert into ${table} (store_id, id, name, name_key, ${raw(own.join(', '))}, sort_order)
            select c.store_id, ${row.id}, ${row.name}, ${nameKey}, ${valuesOf(row as unknown as Row)},
                   (select coalesce(max(sort_order), -1) + 1 from ${table} where store_id = ${storeId} ${group})
            from store_clocks c where c.store_id = ${storeId}
            on conflict (store_id, ${isGrouped ? raw('status_group, ') : empty}name_key) do nothing
            returning ${columns}`,
      );
    },

    find: (tx: Transaction, storeId: string, id: string) =>
      tx.one<Row>(sql`select ${columns} from ${table} where store_id = ${storeId} and id = ${id}`),

    update: (tx: Transaction, storeId: string, row: Row, nameKey: string) =>
      tx.run(
        sql`update ${table} set name = ${row.name}, name_key = ${nameKey}, is_active = ${row.is_active},
              ${join(
                own.map((column) => sql`${raw(column)} = ${row[column]}`),
                ', ',
              )}
            where store_id = ${storeId} and id = ${row.id}`,
      ),

    /** All statuses, or those of a group. */
    listGroup: (tx: Transaction, storeId: string, group?: StatusGroup) =>
      tx.all<{ id: string }>(sql`select id from ${table} where store_id = ${storeId} ${inGroup(group)}`),

    sort: (tx: Transaction, storeId: string, positions: readonly { id: string; position: number }[]) =>
      tx.run(
        sql`update ${table} set sort_order = v.position
            from ${tx.dialect.records('v', { id: 'uuid', position: 'integer' }, positions)}
            where ${table}.store_id = ${storeId} and ${table}.id = v.id`,
      ),

    withCode: (db: Queryable, storeId: string, code: string) =>
      db.one<Row>(sql`select ${columns} from ${table} where store_id = ${storeId} and code = ${code}`),

    insertSystem: (
      tx: Transaction,
      storeId: string,
      statuses: readonly (Omit<Row, 'is_active'> & { name_key: string })[],
    ) =>
      tx.run(
        sql`insert into ${table} (store_id, id, code, name, name_key, sort_order, ${raw(own.join(', '))})
            values ${rows(
              statuses.map((row) => [
                storeId,
                row.id,
                row.code,
                row.name,
                row.name_key,
                row.sort_order,
                ...own.map((column) => (row as unknown as Row)[column]),
              ]),
            )}`,
      ),
  };
}

export const orderStatuses = statusTable<OrderStatusRow>('order_statuses', ['status_group']);
export const paymentStatuses = statusTable<PaymentStatusRow>('payment_statuses', ['is_paid', 'color']);
export type StatusTable<Row extends StatusRow> = ReturnType<typeof statusTable<Row>>;
