import type { Queryable } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { termRows } from '../db/search/record-terms.ts';
import { type Sql, sql } from '../db/sql.ts';
import { rowTable } from '../db/write/row-table.ts';

export interface CustomerRow {
  id: string;
  name: string;
  phone_key: string | null;
  email_key: string | null;
}

const first = (tx: Queryable, storeId: string, same: Sql) =>
  tx.one<CustomerRow>(
    sql`select id, name, phone_key, email_key from customers where store_id = ${storeId} and ${same}
        order by created_at, id limit 1`,
  );

export const findByPhone = (tx: Queryable, storeId: string, key: string) => first(tx, storeId, sql`phone_key = ${key}`);

export const findByEmail = (tx: Queryable, storeId: string, key: string) => first(tx, storeId, sql`email_key = ${key}`);

export const customerRows = rowTable('customers', {
  store_id: 'uuid',
  id: 'uuid',
  name: 'text',
  phone: 'text',
  phone_key: 'text',
  email: 'text',
  email_key: 'text',
  created_at: 'instant',
  updated_at: 'instant',
  seq: 'integer',
});

export const customerTermRows = termRows('customers');

interface FillIn {
  storeId: string;
  id: string;
  name: string;
  phone: string;
  phone_key: string | null;
  email: string;
  email_key: string | null;
  at: number;
  seq: number;
}

/** Fills in what is still missing: another write of the same transaction may have filled in some of it. */
export const fillIn = (sent: FillIn) =>
  sql`update customers
      set name = case when name = '' then ${sent.name} else name end,
          phone = case when phone_key is null then ${sent.phone} else phone end,
          phone_key = coalesce(phone_key, ${sent.phone_key}),
          email = case when email_key is null then ${sent.email} else email end,
          email_key = coalesce(email_key, ${sent.email_key}),
          updated_at = ${sent.at}, seq = ${sent.seq}
      where store_id = ${sent.storeId} and id = ${sent.id}`;

/** The terms of the fields that were filled in: another write of the same transaction may have filled in some of them. */
export const fillInTerms = (
  { records }: Dialect,
  sent: FillIn,
  terms: readonly { field: 'name' | 'phone' | 'email'; term: string }[],
) =>
  sql`insert into customer_terms (store_id, record_id, term)
      select c.store_id, c.id, v.term
      from customers c cross join ${records('v', { field: 'text', term: 'text' }, terms)}
      where c.store_id = ${sent.storeId} and c.id = ${sent.id}
        and case v.field when 'name' then c.name = ${sent.name} when 'phone' then c.phone = ${sent.phone}
            else c.email = ${sent.email} end
      on conflict do nothing`;
