import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';

export type SqliteDatabase = BetterSqlite.Database;
export type SqliteStatement = BetterSqlite.Statement;

/**
 * Version 13 of better-sqlite3 needs Node 22. Version 12, which is for Node 20 here, ends the process on Node 24.19 and
 * later, when a statement is garbage-collected while no JavaScript runs.
 */
const isNode20 = process.versions.node.startsWith('20.');

export const Sqlite: typeof BetterSqlite = createRequire(import.meta.url)(
  isNode20 ? 'better-sqlite3-node20' : 'better-sqlite3',
);
