import type { Queryable } from '../db/database.ts';
import { empty, raw, type Sql, sql } from '../db/sql.ts';

/** What is checked, and what the rules need to know. */
export interface Scope {
  /** Undefined for all stores. */
  storeId?: string | undefined;
  /** Events and deliveries of before these times may have been deleted. */
  eventsSince: number;
  deliveriesSince: number;
}

export interface Problem {
  store: string;
  kind: string;
  id: string;
  message: string;
}

/** A promise about the data. */
export interface Rule {
  kind: string;
  /** What must always hold. */
  promise: string;
  /**
   * Selects what breaks it: `store_id`, `id`, and `message`. One statement, so that it sees one snapshot while others
   * write.
   */
  broken(db: Queryable, scope: Scope): Sql;
}

/** The rows of this table alias that are in scope, as a further condition. */
export const inScope = ({ storeId }: Scope, alias: string): Sql =>
  storeId ? sql`and ${raw(alias)}.store_id = ${storeId}` : empty;
