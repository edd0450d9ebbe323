import type { StockState } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';

/** The index by stock has these products only. */
export const hasStock = sql`t.stock is not null`;

/** Ranges of the index by stock. */
export const ofStock = (state: StockState, low: number) =>
  state === 'low' ? sql`t.stock > 0 and t.stock <= ${low}` : state === 'soldOut' ? sql`t.stock <= 0` : sql`t.stock < 0`;

export const isActive = (active: boolean) => (active ? sql`t.is_active` : sql`not t.is_active`);

export const ofCategories = (db: Queryable, ids: readonly string[]) => sql`t.category_id in ${inList(db, ids, 'uuid')}`;
