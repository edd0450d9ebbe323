import type pg from 'pg';

/** On a Citus cluster copied to every server: read before the store is known, or joined with the rows of any store. */
export const REFERENCE_TABLES: readonly string[] = [
  'owners',
  'stores',
  'store_members',
  'invitations',
  'api_keys',
  'shops',
  'delivery_types',
  'payment_types',
  'password_resets',
  'code_generators',
  'recovery_codes',
  'passkeys',
  'used_tokens',
];

/** Matched in the text of a statement, so that no feature has to know which tables are on every server. */
const tables = `(?:${REFERENCE_TABLES.join('|')})\\b`;
const writing = new RegExp(
  `\\b(?:insert into|update|delete from) ${tables}|\\bfrom ${tables}[^]*\\bfor (?:update|no key update|share)\\b`,
);

export const writesReferenceTable = (text: string) => writing.test(text);

/** The row of the first migration, which is on the coordinator and never changes. */
const WAIT_FOR_TURN = 'select version from schema_migrations where version = 1 for update';

type Execute = (statement: string | pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * Executes the statements of a transaction on a Citus cluster. A write to a reference table locks that table, and those
 * that its foreign keys name, for all other writers until the commit. Transactions that locked them in different orders
 * would wait for each other until one is cancelled, two seconds later; so they take turns.
 */
export function serializeReferenceWrites(execute: Execute, onWait: (turn: Promise<unknown>) => void): Execute {
  let isMyTurn = false;
  return (statement) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!isMyTurn && writesReferenceTable(text)) {
      isMyTurn = true;
      onWait(execute(WAIT_FOR_TURN));
    }
    return execute(statement);
  };
}
