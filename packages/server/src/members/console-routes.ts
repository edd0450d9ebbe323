import type { Team } from '@store-sales/contract/console';
import { membersWithSecondFactor } from '../accounts/second-factor/factors.ts';
import type { SessionCookie } from '../accounts/session-cookie.ts';
import type { SignInGuard } from '../accounts/sign-in.ts';
import { visitorOf } from '../accounts/visitor.ts';
import type { Queryable } from '../db/database.ts';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { MemberCaller } from '../http/callers.ts';
import { asLanguage } from '../mail/kinds.ts';
import { mailOutbox } from '../mail/outbox.ts';
import type { Services } from '../services.ts';
import { iso } from '../time/instant.ts';
import {
  acceptInvitation,
  type InvitationMail,
  invitationPath,
  invite,
  joinWithNewAccount,
  listInvitations,
  type NewInvitation,
  openInvitation,
  renewInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { changeRole, leaveStore, listMembers, removeMember, type TeamEdit } from './members.ts';
import { orderMailStores, setOrderMail } from './order-mails.ts';

type MemberRoutes = ConsoleHandlersAt<
  | '/stores/{storeId}/members'
  | '/stores/{storeId}/membership'
  | '/stores/{storeId}/invitations'
  | '/stores/{storeId}/order-mail'
  | '/order-mails'
  | '/invitation'
>;

/** The members of a store and their invitations. */
export function memberConsoleRoutes(
  { config, db }: Services,
  cookie: SessionCookie,
  guard: SignInGuard,
  publicUrl: () => string,
): MemberRoutes {
  const outbox = mailOutbox(config);
  const invited = async (storeId: string, { token, isMailed }: NewInvitation) => ({
    body: { team: await teamOf(db, storeId), link: isMailed ? null : publicUrl() + invitationPath(token) },
  });
  const mailBy = ({ session: { account } }: MemberCaller): InvitationMail | undefined =>
    outbox && { outbox, inviter: account.name, language: asLanguage(account.language), publicUrl: publicUrl() };

  return {
    'GET /stores/{storeId}/members': async ({ store }) => ({ body: await teamOf(db, store.id) }),
    async 'PATCH /stores/{storeId}/members/{accountId}'(call) {
      await changeRole(db, call.params.accountId, call.body.role, editOf(call));
      return { body: await teamOf(db, call.store.id) };
    },
    async 'DELETE /stores/{storeId}/members/{accountId}'(call) {
      await removeMember(db, call.params.accountId, editOf(call));
      return { body: await teamOf(db, call.store.id) };
    },
    async 'DELETE /stores/{storeId}/membership'(call) {
      await leaveStore(db, call.session.account.id, editOf(call));
    },

    'GET /order-mails': async ({ session }) => ({
      body: { storeIds: await orderMailStores(db, session.account.id) },
    }),
    async 'PUT /stores/{storeId}/order-mail'({ store, session, body }) {
      await setOrderMail(db, store.id, session.account.id, body.isOn);
    },

    async 'POST /stores/{storeId}/invitations'(call) {
      return invited(call.store.id, await invite(db, call.body.email, call.body.role, editOf(call), mailBy(call)));
    },
    async 'POST /stores/{storeId}/invitations/{invitationId}/renew'(call) {
      return invited(call.store.id, await renewInvitation(db, call.params.invitationId, editOf(call), mailBy(call)));
    },
    async 'DELETE /stores/{storeId}/invitations/{invitationId}'(call) {
      await withdrawInvitation(db, call.params.invitationId, editOf(call));
      return { body: await teamOf(db, call.store.id) };
    },

    'POST /invitation': async ({ body, now }) => ({ body: await openInvitation(db, body.token, now) }),
    'POST /invitation/accept': async ({ body, session, now }) => ({
      body: { storeId: await acceptInvitation(db, body.token, session.account, now) },
    }),
    async 'POST /invitation/account'({ body: { token, name, password }, request, reply, now, isGone }) {
      const prepare = (email: string) => guard.prepareAccount({ email, name, password }, now);
      const joined = await joinWithNewAccount(db, token, prepare, visitorOf(cookie, request, isGone), now);
      cookie.signIn(request, reply, joined);
      return { body: { storeId: joined.storeId } };
    },
  };
}

const editOf = ({ store, actor, now }: MemberCaller & { now: number }): TeamEdit => ({ storeId: store.id, actor, now });

async function teamOf(db: Queryable, storeId: string): Promise<Team> {
  const [members, invitations] = [await listMembers(db, storeId), await listInvitations(db, storeId)];
  const secured = new Set(await membersWithSecondFactor(db, storeId));
  return {
    members: members.map(({ id, name, email, role, created_at }) => ({
      id,
      name,
      email,
      role,
      since: iso(created_at),
      hasSecondFactor: secured.has(id),
    })),
    invitations: invitations.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      invitedBy: row.inviter,
      createdAt: iso(row.created_at),
      expiresAt: iso(row.expires_at),
    })),
  };
}
