import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { cursors } from './db/lists/cursor.ts';
import { type Paging, SEARCH_LIMIT } from './db/lists/list.ts';
import { type StoreLimits, storeLimits } from './http/store-limit.ts';

/** The dependencies of the features, including the time, so that tests can set it. */
export interface Services extends Paging {
  config: Config;
  db: Database;
  log: Logger;
  /** The metrics of this process. */
  registry: Registry;
  /** Runs work within the concurrency limits of a store. */
  limit: StoreLimits;
  now(): number;
}

export const servicesFor = (config: Config, db: Database, log: Logger, now: () => number = Date.now): Services => ({
  config,
  db,
  cursors: cursors(config.SECRET_KEY),
  searchLimit: SEARCH_LIMIT,
  log,
  registry: new Registry(),
  limit: storeLimits(db.dialect.engine),
  now,
});
