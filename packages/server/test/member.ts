import type { Role } from '@store-sales/contract/console';
import { system } from '../src/actor.ts';
import { addMember, changeTeam } from '../src/members/members.ts';
import { browser } from './browser.ts';
import type { Service } from './service.ts';

/** A signed-in member of the store who owns no other. */
export async function signedInMember(service: Service, storeId: string, role: Role) {
  const account = await service.owner();
  await changeTeam(service.db, storeId, (tx) =>
    addMember(tx, account, role, { storeId, actor: system, now: service.clock.now }),
  );
  const visitor = browser(service);
  await visitor.signIn(account.email);
  return { account, visitor };
}
