import type { Database, Queryable } from '../../db/database.ts';
import { listViews } from './order-views.ts';
import * as queries from './views.queries.ts';

/** The saved views whose name or filter names a person. */
export const viewsAbout = async (db: Queryable, storeId: string, names: (text: string) => boolean) =>
  (await listViews(db, storeId)).filter(({ name, filters }) => names(name) || Object.values(filters).some(names));

/** Without its filter, a view would show all orders, so it goes. */
export async function eraseViews(db: Database, storeId: string, names: (text: string) => boolean) {
  for (const { id } of await viewsAbout(db, storeId, names)) await queries.remove(db, storeId, id);
}
