import type { Category } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import { iso } from '../instant.ts';
import * as queries from './lists.queries.ts';

export const listCategories = async (db: Queryable, storeId: string): Promise<Category[]> =>
  (await queries.listCategories(db, storeId)).map((row) => ({
    id: row.id,
    externalId: row.external_id ?? '',
    name: row.name,
    parentId: row.parent_id,
    createdAt: microseconds(row.created_at),
    updatedAt: microseconds(row.updated_at),
  }));

/** The specification shows the times of categories, and only of categories, with microseconds. */
const microseconds = (instant: number) => iso(instant).replace('Z', '000+00:00');
