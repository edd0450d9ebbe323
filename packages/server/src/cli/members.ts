import { roles } from '@store-sales/contract/console';
import { accountWithEmail, emailKey } from '../accounts/owners.ts';
import { findStore } from '../accounts/stores.ts';
import { system } from '../actor.ts';
import { configuredUrl } from '../config.ts';
import { DomainError } from '../domain-error.ts';
import { invitationPath, invite, listInvitations, withdrawInvitation } from '../members/invitations.ts';
import {
  addMember,
  changeRole,
  changeTeam,
  listMembers,
  removeMember,
  requireRoomForMember,
} from '../members/members.ts';
import { iso } from '../time/instant.ts';
import { known, print } from './output.ts';
import { withDatabase } from './session.ts';

type Options = { store: string; json?: boolean };

const isSame = (email: string) => (other: { email: string }) => emailKey(other.email) === emailKey(email);

/** Someone with an account becomes a member at once, and a member gets the role; others get a link to join. */
export const memberAdd = ({ email, role, store, json }: Options & { email: string; role: string }) =>
  withDatabase(async ({ config, db, now }) => {
    const given = known(role, roles, 'role');
    const { id: storeId } = await findStore(db, store);
    const edit = { storeId, actor: system, now };
    const account = await accountWithEmail(db, email);
    if (!account) {
      const { token, expiresAt } = await invite(db, email, given, edit);
      const link = configuredUrl(config) + invitationPath(token);
      return print(
        { storeId, email: email.trim(), role: given, status: 'invited', link, expiresAt: iso(expiresAt) },
        json,
      );
    }
    if ((await listMembers(db, storeId)).some(isSame(email))) await changeRole(db, account.id, given, edit);
    else
      await changeTeam(db, storeId, async (tx) => {
        await requireRoomForMember(tx, storeId);
        await addMember(tx, account, given, edit);
      });
    print({ storeId, email: account.email, role: given, status: 'member' }, json);
  });

export const memberList = ({ store, json }: Options) =>
  withDatabase(async ({ db }) => {
    const { id } = await findStore(db, store);
    const members = (await listMembers(db, id)).map(({ email, name, role, created_at }) => {
      return { email, name, role, status: 'member', since: iso(created_at) };
    });
    const invited = (await listInvitations(db, id)).map(({ email, role, created_at }) => {
      return { email, name: '', role, status: 'invited', since: iso(created_at) };
    });
    print([...members, ...invited], json);
  });

export const memberRemove = ({ email, store, json }: Options & { email: string }) =>
  withDatabase(async ({ db, now }) => {
    const { id: storeId } = await findStore(db, store);
    const edit = { storeId, actor: system, now };
    const member = (await listMembers(db, storeId)).find(isSame(email));
    const invitation = (await listInvitations(db, storeId)).find(isSame(email));
    if (member) await removeMember(db, member.id, edit);
    else if (invitation) await withdrawInvitation(db, invitation.id, edit);
    else throw new DomainError('not_found', `There is no member with the e-mail ${email} in this store.`);
    print({ storeId, email: (member ?? invitation)?.email }, json);
  });
