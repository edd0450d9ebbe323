import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { plannedEachTime, sql } from '../db/sql.ts';

/** The fields of a customer that an import can change; the keys are derived from phone and e-mail. */
export interface CustomerFields {
  external_id: string | null;
  name: string;
  phone: string;
  phone_key: string | null;
  email: string;
  email_key: string | null;
}

export interface StoredCustomer extends CustomerFields {
  id: string;
  created_at: number;
}

/** A customer to be written, with its change number. */
export interface StampedCustomer extends CustomerFields {
  id: string;
  seq: number;
}

export const idsByExternalId = async (db: Queryable, storeId: string, externalIds: readonly string[]) =>
  (
    await db.all<{ id: string }>(
      plannedEachTime(
        sql`select id from customers where store_id = ${storeId} and external_id in ${inList(db, externalIds)}`,
      ),
    )
  ).map(({ id }) => id);

/**
 * For each phone, the `oldest` customers that have it, and the `oldest` without an external id among the first
 * `searched`, because any number may share a phone.
 */
export async function idsByPhone(
  db: Queryable,
  storeId: string,
  phoneKeys: readonly string[],
  { oldest, searched }: { oldest: number; searched: number },
): Promise<string[]> {
  const sharing = (limit: number) =>
    sql`select id, external_id, created_at from customers
        where store_id = ${storeId} and phone_key = w.wanted order by created_at, id limit ${limit}`;
  const joined = db.dialect.joined(sql`cast(x.id as text)`);
  const rows = await db.all<{ ids: string | null }>(
    sql`select (select ${joined} from (${sharing(oldest)}) x) as ids from ${wanted(db, phoneKeys)}
        union all
        select (select ${joined} from (select s.id from (${sharing(searched)}) s where s.external_id is null
                                       order by s.created_at, s.id limit ${oldest}) x) as ids
        from ${wanted(db, phoneKeys)}`,
  );
  return rows.flatMap(({ ids }) => ids?.split(',') ?? []);
}

const wanted = (db: Queryable, values: readonly string[]) =>
  db.dialect.records(
    'w',
    { wanted: 'text' },
    values.map((value) => ({ wanted: value })),
  );

export const readCustomers = (db: Queryable, storeId: string, ids: readonly string[]) =>
  db.all<StoredCustomer>(
    plannedEachTime(sql`select id, external_id, name, phone, phone_key, email, email_key, created_at
        from customers where store_id = ${storeId} and id in ${inList(db, ids, 'uuid')}
        order by id`),
  );

/** Clears the external ids of customers that are about to get others. */
export const freeExternalIds = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.run(
    plannedEachTime(sql`update customers set external_id = null
        where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}`),
  );

const stamped = (tx: Transaction, customers: readonly StampedCustomer[]) =>
  tx.dialect.records(
    'v',
    {
      id: 'uuid',
      external_id: 'text',
      name: 'text',
      phone: 'text',
      phone_key: 'text',
      email: 'text',
      email_key: 'text',
      seq: 'integer',
    },
    customers,
  );

export const writeCustomers = (tx: Transaction, storeId: string, customers: readonly StampedCustomer[], at: number) =>
  tx.run(
    sql`insert into customers (store_id, id, external_id, name, phone, phone_key, email, email_key,
          created_at, updated_at, seq)
        select c.store_id, v.id, v.external_id, v.name, v.phone, v.phone_key, v.email, v.email_key,
          ${at}, ${at}, v.seq
        from ${stamped(tx, customers)} join store_clocks c on c.store_id = ${storeId} where true
        on conflict (store_id, id) do update set external_id = excluded.external_id, name = excluded.name,
          phone = excluded.phone, phone_key = excluded.phone_key, email = excluded.email,
          email_key = excluded.email_key, updated_at = excluded.updated_at, seq = excluded.seq`,
  );
