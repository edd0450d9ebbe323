import type { DeliveryType } from '@store-sales/contract';
import type { Role } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../db/database.ts';
import { raw, rows, sql } from '../db/sql.ts';

export interface DeliveryTypeRow {
  id: string;
  code: string;
  name: string;
  kind: DeliveryType['kind'];
  provider: string | null;
  tracking_url_template: string;
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
    sql`select t.id, t.code, t.name, t.kind, t.provider, t.tracking_url_template, e.is_active
        from delivery_types t
        join store_delivery_types e on e.store_id = ${storeId} and e.delivery_type_id = t.id and e.is_active
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

/** All of the owner's types, and whether each is enabled in the store. */
export const allDeliveryTypes = (db: Queryable, ownerId: string, storeId: string) =>
  db.all<DeliveryTypeRow>(
    sql`select t.id, t.code, t.name, t.kind, t.provider, t.tracking_url_template, coalesce(e.is_active, false) as is_active
        from delivery_types t
        left join store_delivery_types e on e.store_id = ${storeId} and e.delivery_type_id = t.id
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

export const insertDeliveryType = (
  tx: Transaction,
  ownerId: string,
  { id, code, name, kind, tracking_url_template }: Omit<DeliveryTypeRow, 'is_active' | 'provider'>,
  now: number,
) =>
  tx.run(
    sql`insert into delivery_types (owner_id, id, code, name, kind, tracking_url_template, created_at)
        values (${ownerId}, ${id}, ${code}, ${name}, ${kind}, ${tracking_url_template}, ${now})`,
  );

/** One of the owner's types, enabled in the store or not, locked until the transaction ends. */
export const lockDeliveryType = (tx: Transaction, ownerId: string, storeId: string, id: string) =>
  tx.one<DeliveryTypeRow>(
    sql`select t.id, t.code, t.name, t.kind, t.provider, t.tracking_url_template,
               coalesce((select e.is_active from store_delivery_types e
                         where e.store_id = ${storeId} and e.delivery_type_id = t.id), false) as is_active
        from delivery_types t where t.owner_id = ${ownerId} and t.id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const updateDeliveryType = (tx: Transaction, ownerId: string, type: DeliveryTypeRow) =>
  tx.run(
    sql`update delivery_types set code = ${type.code}, name = ${type.name}, kind = ${type.kind},
          tracking_url_template = ${type.tracking_url_template}
        where owner_id = ${ownerId} and id = ${type.id}`,
  );

/** The stores of an owner, in the order in which their clocks are locked, and the role of an account in each. */
export const storesOf = (tx: Transaction, ownerId: string, accountId: string | null) =>
  tx.all<{ id: string; role: Role | null }>(
    sql`select s.id, m.role from stores s left join store_members m on m.store_id = s.id and m.owner_id = ${accountId}
        where s.owner_id = ${ownerId} order by s.id`,
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

export const insertPaymentType = (
  tx: Transaction,
  ownerId: string,
  { id, code, name, description }: Omit<PaymentTypeRow, 'is_active'>,
  now: number,
) =>
  tx.run(
    sql`insert into payment_types (owner_id, id, code, name, description, created_at)
        values (${ownerId}, ${id}, ${code}, ${name}, ${description}, ${now})`,
  );

type Kind = 'delivery' | 'payment';
type TypeRow = { id: string; code: string } & Record<string, unknown>;

const copied = {
  delivery: ['id', 'code', 'name', 'kind', 'provider', 'tracking_url_template', 'created_at'],
  payment: ['id', 'code', 'name', 'description', 'created_at'],
};

/** The types that were ever enabled in a store. */
export const typesOfStore = (tx: Transaction, kind: Kind, ownerId: string, storeId: string) =>
  tx.all<TypeRow>(
    sql`select ${raw(copied[kind].map((column) => `t.${column}`).join(', '))}
        from ${raw(`${kind}_types`)} t
        join ${raw(`store_${kind}_types`)} e on e.store_id = ${storeId} and e.${raw(`${kind}_type_id`)} = t.id
        where t.owner_id = ${ownerId} order by t.created_at, t.id`,
  );

export const typeCodes = (tx: Transaction, kind: Kind, ownerId: string) =>
  tx.all<{ id: string; code: string }>(sql`select id, code from ${raw(`${kind}_types`)} where owner_id = ${ownerId}`);

export const insertTypes = (tx: Transaction, kind: Kind, ownerId: string, types: readonly TypeRow[]) => {
  const [table, columns] = [raw(`${kind}_types`), raw(copied[kind].join(', '))];
  const values = types.map((type) => [ownerId, ...copied[kind].map((column) => type[column])]);
  return tx.run(sql`insert into ${table} (owner_id, ${columns}) values ${rows(values)}`);
};

export const enableInActiveStores = (tx: Transaction, ownerId: string, paymentTypeId: string) =>
  tx.run(
    sql`insert into store_payment_types (store_id, payment_type_id, is_active)
        select id, ${paymentTypeId}, true from stores where owner_id = ${ownerId} and is_active`,
  );
