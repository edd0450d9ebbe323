import type { DeliveryType } from '@store-sales/contract';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface DeliveryTypeRow {
  id: string;
  code: string;
  name: string;
  kind: DeliveryType['kind'];
  provider: string | null;
  /** In the caller's store. */
  is_active: boolean;
}

export interface PaymentTypeRow {
  id: string;
  code: string;
  name: string;
  description: string;
  is_active: boolean;
}

/** The types enabled in the store. A type without a row for the store was never enabled there. */
export const listDeliveryTypes = (db: Queryable, ownerId: string, storeId: string) =>
  db.all<DeliveryTypeRow>(
    sql`select t.id, t.code, t.name, t.kind, t.provider, e.is_active
        from delivery_types t
        join store_delivery_types e on e.store_id = ${storeId} and e.delivery_type_id = t.id and e.is_active
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

/** All of the owner's types, and whether each is enabled in the store. */
export const allDeliveryTypes = (db: Queryable, ownerId: string, storeId: string) =>
  db.all<DeliveryTypeRow>(
    sql`select t.id, t.code, t.name, t.kind, t.provider, coalesce(e.is_active, false) as is_active
        from delivery_types t
        left join store_delivery_types e on e.store_id = ${storeId} and e.delivery_type_id = t.id
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

export const deliveryTypeCodes = async (db: Queryable, ownerId: string) =>
  (await db.all<{ code: string }>(sql`select code from delivery_types where owner_id = ${ownerId}`)).map(
    (row) => row.code,
  );

/** Returns undefined if the code is taken. */
export const insertDeliveryType = (
  tx: Transaction,
  ownerId: string,
  { id, code, name, kind }: Omit<DeliveryTypeRow, 'is_active' | 'provider'>,
  now: number,
) =>
  tx.one<Omit<DeliveryTypeRow, 'is_active'>>(
    sql`insert into delivery_types (owner_id, id, code, name, kind, created_at)
        values (${ownerId}, ${id}, ${code}, ${name}, ${kind}, ${now})
        on conflict (owner_id, code) do nothing
        returning id, code, name, kind, provider`,
  );

/** One of the owner's types, enabled in the store or not, locked until the transaction ends. */
export const lockDeliveryType = (tx: Transaction, ownerId: string, storeId: string, id: string) =>
  tx.one<DeliveryTypeRow>(
    sql`select t.id, t.code, t.name, t.kind, t.provider,
               coalesce((select e.is_active from store_delivery_types e
                         where e.store_id = ${storeId} and e.delivery_type_id = t.id), false) as is_active
        from delivery_types t where t.owner_id = ${ownerId} and t.id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const updateDeliveryType = (tx: Transaction, ownerId: string, { id, code, name, kind }: DeliveryTypeRow) =>
  tx.run(
    sql`update delivery_types set code = ${code}, name = ${name}, kind = ${kind}
        where owner_id = ${ownerId} and id = ${id}`,
  );

export const switchDeliveryType = (tx: Transaction, storeId: string, id: string, isActive: boolean) =>
  tx.run(
    sql`insert into store_delivery_types (store_id, delivery_type_id, is_active) values (${storeId}, ${id}, ${isActive})
        on conflict (store_id, delivery_type_id) do update set is_active = excluded.is_active`,
  );

export const listPaymentTypes = (db: Queryable, ownerId: string, storeId: string) =>
  db.all<PaymentTypeRow>(
    sql`select t.id, t.code, t.name, t.description, e.is_active
        from payment_types t
        join store_payment_types e on e.store_id = ${storeId} and e.payment_type_id = t.id and e.is_active
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

/** All of the owner's types, and whether each is enabled in the store. */
export const allPaymentTypes = (db: Queryable, ownerId: string, storeId: string) =>
  db.all<PaymentTypeRow>(
    sql`select t.id, t.code, t.name, t.description, coalesce(e.is_active, false) as is_active
        from payment_types t
        left join store_payment_types e on e.store_id = ${storeId} and e.payment_type_id = t.id
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

export const findPaymentType = (db: Queryable, ownerId: string, id: string) =>
  db.one<Omit<PaymentTypeRow, 'is_active'>>(
    sql`select id, code, name, description from payment_types where owner_id = ${ownerId} and id = ${id}`,
  );

export const switchPaymentType = (tx: Transaction, storeId: string, id: string, isActive: boolean) =>
  tx.run(
    sql`insert into store_payment_types (store_id, payment_type_id, is_active) values (${storeId}, ${id}, ${isActive})
        on conflict (store_id, payment_type_id) do update set is_active = excluded.is_active`,
  );

export const paymentTypeCodes = async (db: Queryable, ownerId: string) =>
  (await db.all<{ code: string }>(sql`select code from payment_types where owner_id = ${ownerId}`)).map(
    (row) => row.code,
  );

/** Returns undefined if the code is taken. */
export const insertPaymentType = (
  tx: Transaction,
  ownerId: string,
  { id, code, name, description }: Omit<PaymentTypeRow, 'is_active'>,
  now: number,
) =>
  tx.one<Omit<PaymentTypeRow, 'is_active'>>(
    sql`insert into payment_types (owner_id, id, code, name, description, created_at)
        values (${ownerId}, ${id}, ${code}, ${name}, ${description}, ${now})
        on conflict (owner_id, code) do nothing
        returning id, code, name, description`,
  );

export const enableInActiveStores = (tx: Transaction, ownerId: string, paymentTypeId: string) =>
  tx.run(
    sql`insert into store_payment_types (store_id, payment_type_id, is_active)
        select id, ${paymentTypeId}, true from stores where owner_id = ${ownerId} and is_active`,
  );
