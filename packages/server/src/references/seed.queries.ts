import type { Transaction } from '../db/database.ts';
import { raw, rows, sql } from '../db/sql.ts';

type Row = readonly unknown[];

export const insertDeliveryTypes = (tx: Transaction, types: readonly Row[]) =>
  tx.run(sql`insert into delivery_types (owner_id, id, code, name, kind, provider, created_at) values ${rows(types)}`);

export const insertPaymentTypes = (tx: Transaction, types: readonly Row[]) =>
  tx.run(sql`insert into payment_types (owner_id, id, code, name, created_at) values ${rows(types)}`);

/** Enables all of the owner's delivery or payment types in the store. */
export const enableAll = (tx: Transaction, kind: 'delivery' | 'payment', storeId: string, ownerId: string) =>
  tx.run(
    sql`insert into ${raw(`store_${kind}_types`)} (store_id, ${raw(`${kind}_type_id`)}, is_active)
        select s.id, t.id, true from ${raw(`${kind}_types`)} t join stores s on s.id = ${storeId}
        where t.owner_id = ${ownerId}`,
  );
