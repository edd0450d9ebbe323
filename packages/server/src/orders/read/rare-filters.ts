import type { FieldError, OrderQuery } from '@store-sales/contract';
import { filterErrors } from '../../customers/customers.ts';
import type { Queryable, Sql } from '../../db/database.ts';
import { isAtMost } from '../../db/lists/few-rows.ts';
import { DomainError, summary } from '../../domain-error.ts';
import { lookupKey } from '../write/lookup-keys.ts';
import * as find from './find.queries.ts';

/** The filters of a list that few orders fit, usually: each has an index, but none together with a sort order. */
export function rareFilters(query: OrderQuery): find.RareFilter[] {
  const fieldErrors: FieldError[] = filterErrors(query);
  if (fieldErrors.length) throw new DomainError('invalid_parameter', summary(fieldErrors), fieldErrors);
  const { 'filter[number]': number, 'filter[customerId]': customerId, 'filter[source]': source } = query;
  const { 'filter[phone]': phone, 'filter[email]': email, 'filter[metadata]': metadata = {} } = query;
  const keys = [
    phone === undefined ? null : lookupKey.phone(phone),
    email === undefined ? null : lookupKey.email(email),
    ...Object.entries(metadata).map(([name, value]) => lookupKey.metadata(name, value)),
  ].filter((key) => key !== null);
  return [
    ...(number === undefined ? [] : [find.byNumber(number)]),
    ...keys.map(find.byKey),
    ...(customerId === undefined ? [] : [find.byCustomer(customerId.toLowerCase())]),
    ...(source === undefined ? [] : [find.bySource(source)]),
  ];
}

/** Whether a page may have to look at thousands of orders for these filters. */
export const isRareSearch = (query: OrderQuery) =>
  (['customerId', 'phone', 'email', 'metadata', 'source'] as const).some(
    (name) => query[`filter[${name}]`] !== undefined,
  );

/**
 * How a list reads the orders that fit: if few fit one of the filters, these orders in place of the table, which are then
 * sorted; otherwise all orders by the index of the sort, where those that fit are not far from each other.
 */
export async function rowsOf(
  db: Queryable,
  storeId: string,
  filters: readonly find.RareFilter[],
  limit: number,
): Promise<{ rows?: Sql; conditions: Sql[] }> {
  const conditions = filters.map(({ condition }) => condition(storeId));
  for (const filter of filters) {
    const isFew = filter.matches && (await isAtMost(db, filter.matches(db.dialect, storeId), limit));
    // Twice the limit, because orders may be created after they were counted.
    if (isFew) return { rows: filter.rows(db.dialect, storeId, limit * 2), conditions };
  }
  return { conditions };
}
