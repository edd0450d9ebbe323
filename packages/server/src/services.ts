import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { cursors } from './db/cursor.ts';
import type { Database } from './db/database.ts';
import { type Paging, SEARCH_LIMIT } from './db/list.ts';
import { type StoreLimits, storeLimits } from './store-limit.ts';

/** What the features are given to work with. Time is among it, so that tests can set it. */
export interface Services extends Paging {
  config: Config;
  db: Database;
  log: Logger;
  /** The figures of this process. */
  registry: Registry;
  /** Runs a store's work within the limits of one store. */
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
