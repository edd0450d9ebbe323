import type { OrderQuery } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { readJsonPage } from '../db/json-page.ts';
import { listWindow, type Paging, type Window } from '../db/list.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError } from '../domain-error.ts';
import * as queries from './orders.queries.ts';

/** A page of orders as response bytes. */
export async function listOrders(db: Queryable, paging: Paging, storeId: string, query: OrderQuery): Promise<Buffer> {
  const window = await windowOf(db, paging, storeId, query);
  return readJsonPage(db, window, statementOf(db, storeId, window, query));
}

/** The statement of a page, for tests of its query plan. */
export const pageStatement = async (db: Queryable, paging: Paging, storeId: string, query: OrderQuery) =>
  statementOf(db, storeId, await windowOf(db, paging, storeId, query), query);

const statementOf = (db: Queryable, storeId: string, window: Window, query: OrderQuery) =>
  queries.page(db.dialect, storeId, window, query.with === 'items');

async function windowOf(db: Queryable, paging: Paging, storeId: string, query: OrderQuery): Promise<Window> {
  const statuses = {
    statusId: await statusId(db, 'status', storeId, query['filter[status]']),
    paymentStatusId: await statusId(db, 'paymentStatus', storeId, query['filter[paymentStatus]']),
  };
  const externalId = query['filter[externalId]'];
  // An external id identifies one order, so its own index is always the best.
  const source = externalId === undefined ? queries.sourceOf(db.dialect, statuses, query.order) : queries.source;
  return listWindow(paging, source, storeId, query, queries.filters({ ...statuses, externalId }));
}

/** A system code, or the id of any status of the store. */
export async function statusId(db: Queryable, kind: queries.StatusKind, storeId: string, given: string | undefined) {
  if (given === undefined) return undefined;
  const system = await queries.statusOfCode(db, kind, storeId, given);
  if (system) return system.id;
  const known = await queries.listStatuses(db, kind, storeId);
  const id = asUuid(given);
  const found = known.find((status) => status.id === id);
  if (found) return found.id;
  const codes = known.map((status) => status.code).filter(Boolean);
  const parameter = `filter[${kind}]`;
  const message = `must be one of ${codes.join(', ')}, or the id of a status of this store`;
  throw new DomainError('invalid_parameter', `${parameter} ${message}`, [{ parameter, code: 'not_allowed', message }]);
}
