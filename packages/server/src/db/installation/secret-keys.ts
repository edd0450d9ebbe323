import { ConfigError } from '../../domain-error.ts';
import { keyFor, keyId, type SecretKeys, sealer, sealPrefix } from '../../secrets.ts';
import type { Database, Queryable, Transaction } from '../database.ts';
import { empty, raw, sql } from '../sql.ts';

const BATCH_SIZE = 200;
/** Locks need a store; the keys belong to none. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

/** All encrypted columns. */
const sealedColumns = [
  { table: 'webhook_endpoints', scope: 'store_id', column: 'secret', isRequired: true },
  { table: 'webhook_endpoints', scope: 'store_id', column: 'previous_secret', isRequired: false },
  { table: 'webhook_endpoints', scope: 'store_id', column: 'older_secrets', isRequired: false },
  { table: 'code_generators', scope: 'owner_id', column: 'secret', isRequired: false },
  { table: 'mails', scope: 'store_id', column: 'secret', isRequired: false },
] as const;

type SealedColumn = (typeof sealedColumns)[number];
interface SealedText {
  scope_id: string;
  id: string;
  text: string;
}

const verifierOf = (secretKey: string) => keyFor(secretKey, 'verifier').toString('base64url');

/**
 * Rejects keys that cannot decrypt the secrets in the database: a process with another key would fail deliveries to
 * healthy endpoints. Records the key that this process encrypts with, before it encrypts anything.
 */
export async function checkSecretKeys(db: Database, secretKeys: SecretKeys, now: number) {
  const known = await recorded(db);
  refuseMissing(known, secretKeys);
  if (known.has(keyId(secretKeys[0]))) return;
  await db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['secret keys']);
    refuseMissing(await recorded(tx), secretKeys);
    await record(tx, secretKeys[0], now);
  });
}

/** The same without recording anything. */
export const requireMatchingKeys = async (db: Queryable, secretKeys: SecretKeys) =>
  refuseMissing(await recorded(db), secretKeys);

/**
 * Encrypts every secret with the newest key and deletes the records of the other keys. Safe to repeat, and to run while
 * others write: a secret that changes in the meantime is left to the next pass, until none is left.
 */
export async function rotateSecrets(
  db: Database,
  secretKeys: SecretKeys,
  now: number,
  /** Creates a new secret in place of one that no key decrypts; without it, such a secret is an error. */
  replacement?: () => string,
): Promise<{ rotated: number; unchanged: number }> {
  if (replacement) await record(db, secretKeys[0], now);
  else await checkSecretKeys(db, secretKeys, now);
  const { open, seal } = sealer(secretKeys);
  const prefix = sealPrefix(secretKeys[0]);
  const unchanged = await countSealed(db, prefix);

  async function rotateColumn(column: SealedColumn) {
    let changed = 0;
    let unreadable = 0;
    for await (const batch of batches(db, column, prefix))
      changed += await db.transaction(async (tx) => {
        let count = 0;
        for (const row of batch) {
          let plain: string | null | undefined;
          try {
            plain = open(row.text);
          } catch {
            plain = replacement && (column.isRequired ? replacement() : null);
          }
          if (plain === undefined) unreadable++;
          else count += await replace(tx, column, row, plain === null ? null : seal(plain));
        }
        return count;
      });
    return { changed, unreadable };
  }

  let rotated = 0;
  for (;;) {
    let changed = 0;
    let unreadable = 0;
    for (const column of sealedColumns) {
      const done = await rotateColumn(column);
      changed += done.changed;
      unreadable += done.unreadable;
    }
    rotated += changed;
    if (changed) continue;
    if (unreadable)
      throw new ConfigError(
        `${rotated} secrets were encrypted with the newest key, but ${unreadable} cannot be decrypted with SECRET_KEY: add the key that they were encrypted with, or replace them with --replace-unreadable`,
      );
    if (await deleteOtherKeys(db, secretKeys[0])) return { rotated, unchanged };
  }
}

const recorded = async (db: Queryable) =>
  new Map(
    (await db.all<{ id: string; verifier: string }>(sql`select id, verifier from secret_keys`)).map((row) => [
      row.id,
      row.verifier,
    ]),
  );

const record = (db: Queryable, secretKey: string, now: number) =>
  db.run(
    sql`insert into secret_keys (id, verifier, created_at) values (${keyId(secretKey)}, ${verifierOf(secretKey)}, ${now})
        on conflict (id) do nothing`,
  );

function refuseMissing(known: Map<string, string>, secretKeys: SecretKeys) {
  const given = new Map(secretKeys.map((secretKey) => [keyId(secretKey), verifierOf(secretKey)]));
  const missing = [...known].filter(([id, verifier]) => given.get(id) !== verifier);
  if (!missing.length) return;
  throw new ConfigError(
    missing.length < known.size
      ? 'SECRET_KEY is missing a key that the database still uses; add it after a comma, and run store-sales secrets rotate before you remove it'
      : 'SECRET_KEY does not match the database, which was encrypted with another key; set the previous key (with SQLite, it is in DATA_DIR/secret.key)',
  );
}

/** Values of a column that do not start with the prefix. */
async function* batches(
  db: Queryable,
  { table, scope, column }: SealedColumn,
  prefix: string,
): AsyncGenerator<SealedText[]> {
  const text = raw(column);
  let last: SealedText | undefined;
  for (;;) {
    const key = raw(scope);
    const after = last ? sql`and (${key}, id) > (${last.scope_id}, ${last.id})` : empty;
    const other = prefix ? sql`and substr(${text}, 1, ${prefix.length}) <> ${prefix}` : empty;
    const batch = await db.all<SealedText>(
      sql`select ${key} as scope_id, id, ${text} as text from ${raw(table)}
          where ${text} is not null ${other} ${after} order by ${key}, id limit ${BATCH_SIZE}`,
    );
    if (batch.length) yield batch;
    last = batch.at(-1);
    if (batch.length < BATCH_SIZE) return;
  }
}

const replace = (
  tx: Transaction,
  { table, scope, column }: SealedColumn,
  { scope_id, id, text }: SealedText,
  to: string | null,
) =>
  tx.run(
    sql`update ${raw(table)} set ${raw(column)} = ${to}
        where ${raw(scope)} = ${scope_id} and id = ${id} and ${raw(column)} = ${text}`,
  );

async function countSealed(db: Queryable, prefix: string) {
  let count = 0;
  for (const { table, column } of sealedColumns) {
    const row = await db.one<{ count: number }>(
      sql`select count(*) as count from ${raw(table)} where substr(${raw(column)}, 1, ${prefix.length}) = ${prefix}`,
    );
    count += Number(row?.count);
  }
  return count;
}

/** Returns false if something was encrypted with one of the other keys in the meantime. */
const deleteOtherKeys = (db: Database, newest: string) =>
  db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['secret keys']);
    for (const column of sealedColumns) for await (const _ of batches(tx, column, sealPrefix(newest))) return false;
    await tx.run(sql`delete from secret_keys where id <> ${keyId(newest)}`);
    return true;
  });
