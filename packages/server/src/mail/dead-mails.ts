import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError } from '../domain-error.ts';
import { iso } from '../time/instant.ts';
import * as queries from './dead-mails.queries.ts';
import { NO_STORE } from './outbox.ts';

/** Mails that could not be sent, for the operator. */
export const listDeadMails = async (db: Queryable, limit: number) =>
  (await queries.listDead(db, limit)).map(({ store_id, created_at, settled_at, ...mail }) => ({
    ...mail,
    storeId: store_id === NO_STORE ? null : store_id,
    createdAt: iso(created_at),
    failedAt: iso(settled_at),
  }));

/** Sends one dead mail again, or all of them; returns how many. */
export async function retryDeadMails(db: Queryable, id: string | undefined, now: number): Promise<number> {
  if (id === undefined) return queries.retryDead(db, undefined, now);
  const validId = asUuid(id);
  const count = validId ? await queries.retryDead(db, validId, now) : 0;
  if (!count)
    throw new DomainError(
      'not_found',
      `There is no failed mail ${id} that can be sent again; run store-sales mail list.`,
    );
  return count;
}
