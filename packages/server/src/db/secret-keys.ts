import { ConfigError } from '../config.ts';
import { keyFor, keyId, type SecretKeys, sealer, sealPrefix } from '../secrets.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { empty, raw, sql } from './sql.ts';

const BATCH = 200;
/** Locks are named within a store; the keys belong to none. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

/** Every column of sealed texts; rows are found by store and id. */
const sealedColumns = [
  { table: 'webhook_endpoints', column: 'secret', isRequired: true },
  { table: 'webhook_endpoints', column: 'previous_secret', isRequired: false },
  { table: 'webhook_endpoints', column: 'older_secrets', isRequired: false },
] as const;

type SealedColumn = (typeof sealedColumns)[number];
interface SealedText {
  store_id: string;
  id: string;
  text: string;
}

const verifierOf = (secretKey: string) => keyFor(secretKey, 'verifier').toString('base64url');

/**
 * Refuses keys that cannot open what the database holds: a process with another key would fail deliveries of healthy
 * endpoints. Records the key that this process encrypts under. A database from before there were such records takes
 * the first keys that open all of its secrets.
 */
export async function checkSecretKeys(db: Database, secretKeys: SecretKeys, now: number) {
  const known = await recorded(db);
  refuseMissing(known, secretKeys);
  if (known.has(keyId(secretKeys[0]))) return;
  await db.transaction(
    async (tx) => {
      await tx.lock(NO_STORE, ['secret keys']);
      const latest = await recorded(tx);
      refuseMissing(latest, secretKeys);
      if (!latest.size) await refuseUnopened(tx, secretKeys);
      for (const secretKey of latest.size ? [secretKeys[0]] : secretKeys) await record(tx, secretKey, now);
    },
    { isLong: true },
  );
}

/** The migration that made the table. */
const SCHEMA_WITH_KEYS = 9;

/** The same without recording anything, for a database whose schema may be older. */
export async function requireFitting(db: Database, secretKeys: SecretKeys, schemaVersion: number) {
  if (schemaVersion >= SCHEMA_WITH_KEYS) refuseMissing(await recorded(db), secretKeys);
}

/**
 * Encrypts every secret under the newest key and forgets the other keys. Safe to run again and while others write: a
 * secret that changes meanwhile is left to the next pass, and passes go on until nothing is left.
 */
export async function rotateSecrets(
  db: Database,
  secretKeys: SecretKeys,
  now: number,
  /** A new secret for one that none of the keys opens; without it, such a secret ends the rotation with an error. */
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
        `${rotated} secrets were encrypted under the newest key, but ${unreadable} cannot be opened with SECRET_KEY: add the key that they were encrypted under, or replace them with --replace-unreadable`,
      );
    if (await forgetOthers(db, secretKeys[0])) return { rotated, unchanged };
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
  const held = new Map(secretKeys.map((secretKey) => [keyId(secretKey), verifierOf(secretKey)]));
  const missing = [...known].filter(([id, verifier]) => held.get(id) !== verifier);
  if (!missing.length) return;
  throw new ConfigError(
    missing.length < known.size
      ? 'SECRET_KEY lacks a key that the database still uses; add it after a comma, and run store-sales secrets rotate before it is dropped'
      : 'SECRET_KEY does not fit the database, which was encrypted under another key; set the key that was used before (with the embedded database, DATA_DIR/secret.key)',
  );
}

async function refuseUnopened(tx: Transaction, secretKeys: SecretKeys) {
  const { open } = sealer(secretKeys);
  for (const column of sealedColumns)
    for await (const batch of batches(tx, column, ''))
      for (const { text } of batch)
        try {
          open(text);
        } catch {
          throw new ConfigError(
            'SECRET_KEY does not open the webhook secrets of the database; set the key that was used before, or, if it is lost, run store-sales secrets rotate --replace-unreadable',
          );
        }
}

/** Texts of a column that do not begin with the prefix. */
async function* batches(db: Queryable, { table, column }: SealedColumn, prefix: string): AsyncGenerator<SealedText[]> {
  const text = raw(column);
  let last: SealedText | undefined;
  for (;;) {
    const after = last ? sql`and (store_id, id) > (${last.store_id}, ${last.id})` : empty;
    const other = prefix ? sql`and substr(${text}, 1, ${prefix.length}) <> ${prefix}` : empty;
    const batch = await db.all<SealedText>(
      sql`select store_id, id, ${text} as text from ${raw(table)}
          where ${text} is not null ${other} ${after} order by store_id, id limit ${BATCH}`,
    );
    if (batch.length) yield batch;
    last = batch.at(-1);
    if (batch.length < BATCH) return;
  }
}

const replace = (
  tx: Transaction,
  { table, column }: SealedColumn,
  { store_id, id, text }: SealedText,
  to: string | null,
) =>
  tx.run(
    sql`update ${raw(table)} set ${raw(column)} = ${to}
        where store_id = ${store_id} and id = ${id} and ${raw(column)} = ${text}`,
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

/** Whether the other keys were forgotten; false when something was encrypted under one of them meanwhile. */
const forgetOthers = (db: Database, newest: string) =>
  db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['secret keys']);
    for (const column of sealedColumns) for await (const _ of batches(tx, column, sealPrefix(newest))) return false;
    await tx.run(sql`delete from secret_keys where id <> ${keyId(newest)}`);
    return true;
  });
