import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';

export const isActive = (active: boolean) => (active ? sql`t.is_active` : sql`not t.is_active`);

export const ofCategories = (db: Queryable, ids: readonly string[]) => sql`t.category_id in ${inList(db, ids, 'uuid')}`;
