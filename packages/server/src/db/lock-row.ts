import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

/*
 * Changes of one account or one store that are checked against each other wait here for each other. Used before writes to
 * tables that are on every server of a Citus cluster, whose writers take turns: `Transaction.lock` would write to another
 * table first, and be in a deadlock with the transaction whose turn it is.
 */

export const lockAccount = (tx: Transaction, id: string) =>
  tx.run(sql`select id from owners where id = ${id} ${tx.dialect.forNoKeyUpdate}`);

export const lockStore = (tx: Transaction, id: string) =>
  tx.run(sql`select id from stores where id = ${id} ${tx.dialect.forNoKeyUpdate}`);
