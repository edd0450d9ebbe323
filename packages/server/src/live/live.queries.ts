import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface Clock {
  store_id: string;
  seq: number;
  last_number: number;
}

/** The change numbers of the given stores. */
export const clocksOf = (db: Database, storeIds: readonly string[]) =>
  db.all<Clock>(
    sql`select c.store_id, c.seq, c.last_number from store_clocks c
        join ${db.dialect.records(
          'watched',
          { store_id: 'uuid' },
          storeIds.map((id) => ({ store_id: id })),
        )} on watched.store_id = c.store_id`,
  );
