import type { FieldError, OrderQuery } from '@store-sales/contract';
import type { Queryable } from '../../db/database.ts';
import { readJsonPage } from '../../db/lists/json-page.ts';
import { listWindow, type Paging, type Window } from '../../db/lists/list.ts';
import { asUuid } from '../../db/uuid.ts';
import { DomainError, summary } from '../../domain-error.ts';
import * as queries from '../orders.queries.ts';
import { plannedForValues } from './find.queries.ts';
import { rareFilters, rowsOf } from './rare-filters.ts';

/** A page of orders as response bytes. */
export async function listOrders(db: Queryable, paging: Paging, storeId: string, query: OrderQuery): Promise<Buffer> {
  const window = await windowOf(db, paging, storeId, query);
  return readJsonPage(db, window, statementOf(db, storeId, window, query));
}

/** The statement of a page, for tests of its query plan. */
export const pageStatement = async (db: Queryable, paging: Paging, storeId: string, query: OrderQuery) =>
  statementOf(db, storeId, await windowOf(db, paging, storeId, query), query);

function statementOf(db: Queryable, storeId: string, window: Window, query: OrderQuery) {
  const statement = queries.page(db.dialect, storeId, window, query.with === 'items');
  return rareFilters(query).length ? plannedForValues(statement) : statement;
}

async function windowOf(db: Queryable, paging: Paging, storeId: string, query: OrderQuery): Promise<Window> {
  const rare = rareFilters(query);
  const statuses = await statusFilters(db, storeId, query['filter[status]'], query['filter[paymentStatus]']);
  const externalId = query['filter[externalId]'];
  // An external id identifies one order, so its own index is always the best.
  const source = externalId === undefined ? queries.sourceOf(db.dialect, statuses, query.order) : queries.source;
  const equal = queries.filters({ ...statuses, externalId });
  const synced = { ...source, syncOrder: 'updatedAt:asc' } as const;
  if (!rare.length) return listWindow(paging, synced, storeId, query, equal);
  // Each filter is a lookup for each order: fewer orders for many filters, so that a page costs the same.
  const bounded = { ...paging, searchLimit: Math.ceil(paging.searchLimit / rare.length) };
  const { rows, conditions } = await rowsOf(db, storeId, rare, bounded.searchLimit);
  return rows
    ? listWindow(bounded, { ...synced, rows }, storeId, query, [...equal, ...conditions])
    : listWindow(bounded, synced, storeId, query, equal, conditions);
}

/** The statuses that a query names; all unknown ones are reported. */
export async function statusFilters(
  db: Queryable,
  storeId: string,
  status: string | undefined,
  paymentStatus: string | undefined,
) {
  const fieldErrors: FieldError[] = [];
  const found = {
    statusId: await statusId(db, 'status', storeId, status, fieldErrors),
    paymentStatusId: await statusId(db, 'paymentStatus', storeId, paymentStatus, fieldErrors),
  };
  if (fieldErrors.length) throw new DomainError('invalid_parameter', summary(fieldErrors), fieldErrors);
  return found;
}

/** A system code, or the id of any status of the store. */
async function statusId(
  db: Queryable,
  kind: queries.StatusKind,
  storeId: string,
  given: string | undefined,
  fieldErrors: FieldError[],
) {
  if (given === undefined) return undefined;
  const system = await queries.statusOfCode(db, kind, storeId, given);
  if (system) return system.id;
  const known = await queries.listStatuses(db, kind, storeId);
  const id = asUuid(given);
  const found = known.find((status) => status.id === id);
  if (found) return found.id;
  const codes = known.map((status) => status.code).filter(Boolean);
  const message = `must be one of ${codes.join(', ')}, or the id of a status of this store`;
  fieldErrors.push({ parameter: `filter[${kind}]`, code: 'not_allowed', message });
  return undefined;
}
