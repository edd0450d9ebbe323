import type { Customer, CustomerQuery, Fault } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { type Key, listWindow, type Paging } from '../db/list.ts';
import type { Sql } from '../db/sql.ts';
import { asUuid } from '../db/uuid.ts';
import { iso } from '../instant.ts';
import { notFound, Refusal, summary } from '../refusal.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './customers.queries.ts';

export const listCustomers = async (db: Queryable, paging: Paging, storeId: string, query: CustomerQuery) =>
  queries.page(db, listWindow(paging, queries.source, storeId, query, filters(query)), shown);

/** Phone and e-mail are compared as when an order's customer is matched. */
function filters(query: CustomerQuery): Sql[] {
  const { 'filter[phone]': phone, 'filter[email]': email, 'filter[externalId]': externalId } = query;
  const phoneDigits = phone === undefined ? undefined : phoneKey(phone);
  const address = email === undefined ? undefined : emailKey(email);
  const faults: Fault[] = [];
  if (phoneDigits === null)
    faults.push({ parameter: 'filter[phone]', code: 'invalid_format', message: 'must hold at least one digit' });
  if (address === null) faults.push({ parameter: 'filter[email]', code: 'too_short', message: 'must not be empty' });
  if (faults.length) throw new Refusal('invalid_parameter', summary(faults), faults);
  return [
    ...(phoneDigits ? [queries.equal.phoneKey(phoneDigits)] : []),
    ...(address ? [queries.equal.emailKey(address)] : []),
    ...(externalId === undefined ? [] : [queries.equal.externalId(externalId)]),
  ];
}

export async function readCustomer(db: Queryable, storeId: string, id: string): Promise<Customer> {
  const wanted = asUuid(id);
  const found = wanted && (await queries.find(db, storeId, wanted));
  if (!found) throw notFound('customer');
  return shown(found);
}

export const shown = (row: Omit<queries.CustomerRow, keyof Key>): Customer => ({
  id: row.id,
  externalId: row.external_id ?? '',
  name: row.name,
  phone: row.phone,
  email: row.email,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
});
