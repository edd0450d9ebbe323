import type { SavedOrderView, SaveOrderView } from '@store-sales/contract/console';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { asUuid, uuid } from '../../db/uuid.ts';
import { DomainError, notFound } from '../../domain-error.ts';
import { requireBelowLimit } from '../../limits.ts';
import { nameKey, storedName } from '../../text/names.ts';
import * as queries from './views.queries.ts';

/** Saved views of the order list, by name. They are shared by all who manage the store. */
export const listViews = async (db: Queryable, storeId: string): Promise<SavedOrderView[]> =>
  (await queries.list(db, storeId)).map(toView);

export async function createView(db: Database, storeId: string, view: SaveOrderView, now: number) {
  const row = rowOf(uuid(now), view);
  return db.transaction(async (tx) => {
    const views = await lockViews(tx, storeId);
    requireBelowLimit('order_views', views.length);
    requireFreeName(views, row);
    await queries.insert(tx, storeId, row, now);
    return toView(row);
  });
}

export async function changeView(db: Database, storeId: string, id: string, view: SaveOrderView) {
  const row = rowOf(asUuid(id) ?? '', view);
  return db.transaction(async (tx) => {
    const views = await lockViews(tx, storeId);
    if (!views.some((other) => other.id === row.id)) throw notFound('view');
    requireFreeName(views, row);
    await queries.update(tx, storeId, row);
    return toView(row);
  });
}

export async function deleteView(db: Database, storeId: string, id: string) {
  const validId = asUuid(id);
  if (!validId || !(await queries.remove(db, storeId, validId))) throw notFound('view');
}

async function lockViews(tx: Transaction, storeId: string) {
  await tx.lock(storeId, ['order-views']);
  return queries.list(tx, storeId);
}

function requireFreeName(views: readonly queries.ViewRow[], row: queries.ViewRow) {
  if (views.some(({ id, name_key }) => name_key === row.name_key && id !== row.id))
    throw new DomainError('name_taken', `The store already has a view named "${row.name}".`);
}

function rowOf(id: string, { name: sent, filters, columns }: SaveOrderView): queries.ViewRow {
  const name = storedName(sent);
  return { id, name, name_key: nameKey(name), view: JSON.stringify({ filters, columns }) };
}

const toView = ({ id, name, view }: queries.ViewRow): SavedOrderView => ({ id, name, ...JSON.parse(view) });
