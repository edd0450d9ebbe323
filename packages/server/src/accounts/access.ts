import type { Queryable } from '../db/database.ts';
import type { MemberCaller } from '../http/callers.ts';
import { rolesOf } from './accounts.queries.ts';
import { validOf } from './sessions.queries.ts';

/** Someone who was admitted to a store. */
export type Admitted = Pick<MemberCaller, 'session' | 'store'>;

/**
 * Those who have the same session and role as when they were admitted, in two statements for any number of them. For
 * streams, which have no pieces to check between: who is missing has to be admitted again.
 */
export async function withAccess<Each extends Admitted>(
  db: Queryable,
  admitted: readonly Each[],
  now: number,
): Promise<Set<Each>> {
  const sessions = new Set(await validOf(db, [...new Set(admitted.map(({ session }) => session.id))], now));
  const nameOf = (storeId: string, accountId: string, role: string) => `${storeId} ${accountId} ${role}`;
  const members = new Map(
    admitted.map(({ session, store }) => [
      nameOf(store.id, session.account.id, ''),
      { store_id: store.id, owner_id: session.account.id },
    ]),
  );
  const found = await rolesOf(db, [...members.values()]);
  const roles = new Set(found.map(({ store_id, owner_id, role }) => nameOf(store_id, owner_id, role)));
  return new Set(
    admitted.filter(
      ({ session, store }) => sessions.has(session.id) && roles.has(nameOf(store.id, session.account.id, store.role)),
    ),
  );
}
