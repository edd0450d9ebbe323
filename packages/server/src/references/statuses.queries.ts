import type { StatusGroup } from '@store-sales/contract';
import type { Queryable, Transaction } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';

interface StatusRow {
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

const orderStatus = sql`id, code, name, is_active, sort_order, status_group`;
const paymentStatus = sql`id, code, name, is_active, sort_order, is_paid, color`;

export const listOrderStatuses = (db: Queryable, storeId: string) =>
  db.all<OrderStatusRow>(
    sql`select ${orderStatus} from order_statuses where store_id = ${storeId} order by sort_order, id`,
  );

const countOf = (table: string) => async (tx: Transaction, storeId: string) =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from ${raw(table)} where store_id = ${storeId}`))
    ?.count ?? 0;

export const countOrderStatuses = countOf('order_statuses');
export const countPaymentStatuses = countOf('payment_statuses');

/** Inserts after the last of its group; returns undefined if the name exists in the group. */
export const insertOrderStatus = (
  tx: Transaction,
  storeId: string,
  { id, name, key, group }: { id: string; name: string; key: string; group: StatusGroup },
) =>
  tx.one<OrderStatusRow>(
    sql`insert into order_statuses (store_id, id, name, name_key, status_group, sort_order)
        values (${storeId}, ${id}, ${name}, ${key}, ${group},
                (select coalesce(max(sort_order), -1) + 1 from order_statuses
                 where store_id = ${storeId} and status_group = ${group}))
        on conflict (store_id, status_group, name_key) do nothing
        returning ${orderStatus}`,
  );

/** Locks the status until the transaction ends, so that no order can enter it. */
export const lockOrderStatus = (tx: Transaction, storeId: string, id: string) =>
  tx.one<OrderStatusRow>(
    sql`select ${orderStatus} from order_statuses where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const updateOrderStatus = (tx: Transaction, storeId: string, status: OrderStatusRow, key: string) =>
  tx.run(
    sql`update order_statuses set name = ${status.name}, name_key = ${key}, is_active = ${status.is_active}
        where store_id = ${storeId} and id = ${status.id}`,
  );

/** All statuses of a group, locked in id order to avoid deadlocks. */
export const lockOrderStatuses = (tx: Transaction, storeId: string, group: StatusGroup) =>
  tx.all<{ id: string }>(
    sql`select id from order_statuses where store_id = ${storeId} and status_group = ${group}
        order by id ${tx.dialect.forNoKeyUpdate}`,
  );

export interface PlacedStatus {
  id: string;
  place: number;
}

const places = (tx: Transaction, statuses: readonly PlacedStatus[]) =>
  tx.dialect.records('v', { id: 'uuid', place: 'integer' }, statuses);

export const arrangeOrderStatuses = (tx: Transaction, storeId: string, statuses: readonly PlacedStatus[]) =>
  tx.run(
    sql`update order_statuses set sort_order = v.place from ${places(tx, statuses)}
        where order_statuses.store_id = ${storeId} and order_statuses.id = v.id`,
  );

/** The system status with this code; for order statuses the code is the group. */
export const orderStatusOf = (db: Queryable, storeId: string, code: string) =>
  db.one<{ id: string }>(sql`select id from order_statuses where store_id = ${storeId} and code = ${code}`);

export const paymentStatusOf = (db: Queryable, storeId: string, code: string) =>
  db.one<{ id: string }>(sql`select id from payment_statuses where store_id = ${storeId} and code = ${code}`);

export const listPaymentStatuses = (db: Queryable, storeId: string) =>
  db.all<PaymentStatusRow>(
    sql`select ${paymentStatus} from payment_statuses where store_id = ${storeId} order by sort_order, id`,
  );

/** Inserts after the last; returns undefined if the name exists in the store. */
export const insertPaymentStatus = (
  tx: Transaction,
  storeId: string,
  { id, name, key, isPaid, color }: { id: string; name: string; key: string; isPaid: boolean; color: string },
) =>
  tx.one<PaymentStatusRow>(
    sql`insert into payment_statuses (store_id, id, name, name_key, is_paid, color, sort_order)
        values (${storeId}, ${id}, ${name}, ${key}, ${isPaid}, ${color},
                (select coalesce(max(sort_order), -1) + 1 from payment_statuses where store_id = ${storeId}))
        on conflict (store_id, name_key) do nothing
        returning ${paymentStatus}`,
  );

export const lockPaymentStatus = (tx: Transaction, storeId: string, id: string) =>
  tx.one<PaymentStatusRow>(
    sql`select ${paymentStatus} from payment_statuses
        where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const updatePaymentStatus = (tx: Transaction, storeId: string, status: PaymentStatusRow, key: string) =>
  tx.run(
    sql`update payment_statuses
        set name = ${status.name}, name_key = ${key}, is_paid = ${status.is_paid}, color = ${status.color},
            is_active = ${status.is_active}
        where store_id = ${storeId} and id = ${status.id}`,
  );

export const lockPaymentStatuses = (tx: Transaction, storeId: string) =>
  tx.all<{ id: string }>(
    sql`select id from payment_statuses where store_id = ${storeId} order by id ${tx.dialect.forNoKeyUpdate}`,
  );

export const arrangePaymentStatuses = (tx: Transaction, storeId: string, statuses: readonly PlacedStatus[]) =>
  tx.run(
    sql`update payment_statuses set sort_order = v.place from ${places(tx, statuses)}
        where payment_statuses.store_id = ${storeId} and payment_statuses.id = v.id`,
  );
