import type { Category } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { iso } from '../time/instant.ts';
import * as queries from './categories.queries.ts';

export const listCategories = async (db: Queryable, storeId: string): Promise<Category[]> =>
  (await queries.listCategories(db, storeId)).map((row) => ({
    id: row.id,
    externalId: row.external_id ?? '',
    name: row.name,
    parentId: row.parent_id,
    createdAt: microseconds(row.created_at),
    updatedAt: microseconds(row.updated_at),
  }));

/** Maximum products counted: 200,000 take tens of milliseconds, from the index alone. */
const MAX_COUNTED = 200_000;

/** Number of products by category, for those that have any; null if there are too many products to count. */
export async function countProducts(db: Queryable, storeId: string): Promise<Record<string, number> | null> {
  const rows = await queries.countProducts(db, storeId, MAX_COUNTED + 1);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return total > MAX_COUNTED ? null : Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}

/** The specification shows the times of categories, and only of categories, with microseconds. */
const microseconds = (instant: number) => iso(instant).replace('Z', '000+00:00');
