import { emailKey, phoneKey } from '../customers/contact.ts';
import { customerTerms } from '../customers/search-terms.ts';
import { empty, sql } from '../db/sql.ts';
import type { RowRule } from './rows.ts';
import { inScope, type Rule } from './rule.ts';
import { hasTerms, termsOf } from './search.ts';

interface CustomerRow {
  store_id: string;
  id: string;
  external_id: string | null;
  name: string;
  phone: string;
  phone_key: string | null;
  email: string;
  email_key: string | null;
  merged_into_id: string | null;
  erased_at: number | null;
  terms: string | null;
}

export const customers: RowRule<CustomerRow> = {
  table: 'customers',
  key: ['id'],
  columns: ({ dialect }) =>
    sql`t.store_id, t.id, t.external_id, t.name, t.phone, t.phone_key, t.email, t.email_key,
      t.merged_into_id, t.erased_at, ${termsOf(dialect, 'customers')}`,
  *problems(customer) {
    const { merged_into_id, erased_at, external_id, name, phone, phone_key, email, email_key, terms } = customer;
    const isFoundBySomething = phone_key !== null || email_key !== null || external_id !== null || terms !== null;
    if (erased_at !== null && (isFoundBySomething || name || phone || email))
      yield ['customer_erased', 'has personal data although it was erased'];
    if (merged_into_id !== null && isFoundBySomething)
      yield ['customer_merged', 'is found although it was merged into another'];
    if (merged_into_id !== null || erased_at !== null) return;
    const isFound = customer.phone_key === phoneKey(customer.phone) && customer.email_key === emailKey(customer.email);
    if (!isFound) yield ['customer_keys', 'is matched by another phone or e-mail than its own'];
    if (!hasTerms(customer, customerTerms(customer))) yield ['customer_search', 'is found by other words than its own'];
  },
};

/** No erasure of the store of customer `c` is under way. */
export const isErasureFinished = sql`not exists (select 1 from unfinished_changes u
                                   where u.store_id = c.store_id and u.kind = 'customer_erasure')`;

export const contacts: readonly Rule[] = [
  {
    kind: 'order_of_merged',
    promise: 'no order belongs to a customer that was merged into another',
    broken: (_, scope) =>
      sql`select o.store_id, o.id, 'belongs to a customer that was merged into another' as message
          from customers c join orders o on o.store_id = c.store_id and o.customer_id = c.id
          where c.merged_into_id is not null ${inScope(scope, 'c')}`,
  },
  {
    kind: 'merged_into_erased',
    promise: 'what was merged into an erased customer is erased too',
    broken: (_, scope) =>
      sql`select m.store_id, m.id, 'was merged into a customer that was erased, and was not' as message
          from customers c join customers m on m.store_id = c.store_id and m.merged_into_id = c.id
          where c.erased_at is not null and m.erased_at is null and ${isErasureFinished} ${inScope(scope, 'c')}`,
  },
  {
    kind: 'customer_in_circle',
    promise: 'from a merged customer, mergedIntoId leads to one that was not merged',
    broken: (_, { storeId }) => {
      const there = storeId ? sql`and c.store_id = ${storeId}` : empty;
      return sql`with recursive reached as (
            select c.store_id, c.id from customers c where c.merged_into_id is null ${there}
            union all
            select c.store_id, c.id from reached r
            join customers c on c.store_id = r.store_id and c.merged_into_id = r.id)
          select c.store_id, c.id, 'was merged into itself' as message from customers c
          where c.merged_into_id is not null ${there}
            and not exists (select 1 from reached r where r.store_id = c.store_id and r.id = c.id)`;
    },
  },
  {
    kind: 'customer_repeated',
    // Only an import may give one phone to several external ids.
    promise: 'no two customers without an external id have the same phone',
    broken: (_, scope) =>
      sql`select c.store_id, min(cast(c.id as text)) as id, 'another customer has the same phone' as message from customers c
          where c.phone_key is not null and c.external_id is null ${inScope(scope, 'c')}
          group by c.store_id, c.phone_key having count(*) > 1`,
  },
];
