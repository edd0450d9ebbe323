import type { Customer, CustomerQuery, FieldError } from '@store-sales/contract';
import type { Queryable, Sql } from '../db/database.ts';
import { allOf, isAtMost } from '../db/lists/few-rows.ts';
import { type Key, listWindow, type Paging, type Window } from '../db/lists/list.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError, notFound, summary } from '../domain-error.ts';
import { iso } from '../time/instant.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './customers.queries.ts';

/** A page of customers as response bytes. */
export const listCustomers = async (db: Queryable, paging: Paging, storeId: string, query: CustomerQuery) =>
  queries.pageAsJson(db, await windowOf(db, paging, storeId, query));

async function windowOf(db: Queryable, paging: Paging, storeId: string, query: CustomerQuery): Promise<Window> {
  const filters = filtersOf(query);
  const listed = query.with === 'merged' ? [] : [queries.isListed];
  const source = { ...queries.source, syncOrder: 'updatedAt:asc' } as const;
  if (!isSearch(query)) return listWindow(paging, source, storeId, query, [...listed, ...filters]);
  const bounded = { ...paging, searchLimit: Math.ceil(paging.searchLimit / filters.length) };
  for (const filter of filters) {
    const selection = queries.selectionOf(storeId, filter);
    if (!(await isAtMost(db, selection, bounded.searchLimit))) continue;
    // Twice the limit, because customers may be added after they were counted.
    const rows = allOf(selection, bounded.searchLimit * 2);
    return listWindow(bounded, { ...source, rows }, storeId, query, [...listed, ...filters]);
  }
  return listWindow(bounded, source, storeId, query, listed, filters);
}

/** Whether no index covers the filters and the order together, so that a page may have to look at thousands of customers. */
export function isSearch(query: CustomerQuery): boolean {
  const { 'filter[phone]': phone, 'filter[email]': email, 'filter[externalId]': externalId } = query;
  if (externalId !== undefined || (phone === undefined && email === undefined)) return false;
  return (phone !== undefined && email !== undefined) || !!query.order?.startsWith('updatedAt');
}

/** What the schema does not show to be wrong with the filters. */
export function filterErrors(query: Pick<CustomerQuery, 'filter[phone]' | 'filter[email]'>): FieldError[] {
  const { 'filter[phone]': phone, 'filter[email]': email } = query;
  const fieldErrors: FieldError[] = [];
  if (phone && phoneKey(phone) === null)
    fieldErrors.push({
      parameter: 'filter[phone]',
      code: 'invalid_format',
      message: 'must contain at least one digit',
    });
  if (email && emailKey(email) === null)
    fieldErrors.push({ parameter: 'filter[email]', code: 'too_short', message: 'must not be empty' });
  return fieldErrors;
}

/** Phone and e-mail are compared as when an order's customer is matched. */
function filtersOf(query: CustomerQuery): Sql[] {
  const fieldErrors = filterErrors(query);
  if (fieldErrors.length) throw new DomainError('invalid_parameter', summary(fieldErrors), fieldErrors);
  const { 'filter[phone]': phone, 'filter[email]': email, 'filter[externalId]': externalId } = query;
  const phoneDigits = phone === undefined ? undefined : phoneKey(phone);
  const address = email === undefined ? undefined : emailKey(email);
  return [
    ...(phoneDigits ? [queries.equal.phoneKey(phoneDigits)] : []),
    ...(address ? [queries.equal.emailKey(address)] : []),
    ...(externalId === undefined ? [] : [queries.equal.externalId(externalId)]),
  ];
}

export async function readCustomer(db: Queryable, storeId: string, id: string): Promise<Customer> {
  const validId = asUuid(id);
  const found = validId && (await queries.find(db, storeId, validId));
  if (!found) throw notFound('customer');
  return toCustomer(found);
}

export const toCustomer = (row: Omit<queries.CustomerRow, keyof Key>): Customer => ({
  id: row.id,
  externalId: row.external_id ?? '',
  name: row.name,
  phone: row.phone,
  email: row.email,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  mergedIntoId: row.merged_into_id,
  erasedAt: row.erased_at === null ? null : iso(row.erased_at),
});
