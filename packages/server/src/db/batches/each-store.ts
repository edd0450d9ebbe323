import type { Queryable } from '../database.ts';
import { sql } from '../sql.ts';

/** Ids read at a time. */
const SLICE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const storesAfter = (db: Queryable, id: string) =>
  db.all<{ id: string }>(sql`select id from stores where id > ${id} order by id limit ${SLICE}`);

/**
 * Does something for one store after the other. A failure in one, as while its server is lost, does not keep the others
 * from being done; the first is thrown at the end. What `isOver` cuts short is continued by the next call.
 */
export function storeWalk() {
  let done = BEFORE_ALL;
  return async function walk(db: Queryable, work: (storeId: string) => Promise<unknown>, isOver = () => false) {
    let error: unknown;
    for (let isMore = true; isMore; ) {
      const stores = await storesAfter(db, done);
      isMore = stores.length === SLICE;
      for (const { id } of stores) {
        try {
          await work(id);
        } catch (reason) {
          error ??= reason;
        }
        if (isOver()) {
          if (error) throw error;
          return;
        }
        done = id;
      }
    }
    done = BEFORE_ALL;
    if (error) throw error;
  };
}
