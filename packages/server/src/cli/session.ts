import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { checkSecretKeys } from '../db/secret-keys.ts';
import { type Services, servicesFor } from '../services.ts';

export interface Session {
  config: Config;
  db: Database;
  now: number;
}

/** Runs a command against the database of this installation, brought up to the schema it needs. */
export async function withDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const config = loadConfig();
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  try {
    await migrate(db);
    return await work({ config, db, now: Date.now() });
  } finally {
    await db.close();
  }
}

/** The same for what works with services, which use the secret keys. */
export const withServices = <Result>(work: (services: Services) => Promise<Result>): Promise<Result> =>
  withDatabase(async ({ config, db, now }) => {
    await checkSecretKeys(db, config.SECRET_KEY, now);
    return work(servicesFor(config, db, pino({ level: 'silent' })));
  });

/** All of standard input, without the line end that a shell adds. */
export async function readStdin(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text.replace(/\r?\n$/, '');
}
