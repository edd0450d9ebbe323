import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { serverTime } from '../db/clock/server-time.ts';
import type { Database } from '../db/database.ts';
import { checkSecretKeys } from '../db/installation/secret-keys.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { type Services, servicesFor } from '../services.ts';

export interface Session {
  config: Config;
  db: Database;
  now: number;
  /** The current time, for commands that take long. */
  clock(): number;
}

/** Runs a command against the database of this installation, after applying migrations. */
export async function withDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const config = loadConfig();
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  try {
    await migrate(db, { onProgress: reportProgress });
    const time = await serverTime(db, (aheadMs) =>
      console.error(
        `store-sales: this machine's clock is ${Math.round(aheadMs / 1000)} s ahead of the database server's, whose time is used instead: correct the clock`,
      ),
    );
    try {
      return await work({ config, db, now: time.now(), clock: time.now });
    } finally {
      time.stop();
    }
  } finally {
    await db.close();
  }
}

/** The same for commands that need services, which use the secret keys. */
export const withServices = <Result>(work: (services: Services) => Promise<Result>): Promise<Result> =>
  withDatabase(async ({ config, db, now, clock }) => {
    await checkSecretKeys(db, config.SECRET_KEY, now);
    return work(servicesFor(config, db, pino({ level: 'silent' }), clock));
  });

export const reportProgress = ({ migration, rows }: { migration: string; rows: number }) =>
  console.error(`store-sales: migration ${migration}: ${rows} rows changed so far`);

/** All of standard input, without the trailing newline. */
export async function readStdin(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text.replace(/\r?\n$/, '');
}
