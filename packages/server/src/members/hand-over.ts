import { findStore } from '../accounts/stores.ts';
import type { Actor } from '../actor.ts';
import type { Transaction } from '../db/database.ts';
import { recordHistory } from '../history/history.ts';
import { copyTypes } from '../references/shared-types.ts';
import * as queries from './members.queries.ts';

/**
 * If the store belonged to the account of a member who is no longer its owner, it now belongs to the owner who has been
 * one for longest, and shares types with the stores of that account only. Call it under the lock of `changeTeam`.
 */
export async function handOverFrom(
  tx: Transaction,
  member: { id: string; email: string },
  { storeId, actor, now }: { storeId: string; actor: Actor; now: number },
) {
  const store = await findStore(tx, storeId);
  if (store.owner_id !== member.id) return;
  const heir = (await queries.list(tx, storeId)).find(({ id, role }) => role === 'owner' && id !== member.id);
  if (!heir) throw new Error(`store ${storeId} has no other owner`);
  await copyTypes(tx, { ownerId: member.id, storeId }, heir.id);
  await queries.setStoreOwner(tx, storeId, heir.id);
  const subject = { kind: 'store', id: storeId, name: store.name } as const;
  const details = { owner: [member.email, heir.email] };
  await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
}
