import { ChangePassword, ChangeProfile, type SignedInBrowser } from '@store-sales/contract/console';
import { changeProfile } from '../accounts/owners.ts';
import { closeAll, closeListed, closeOthers, listSessions } from '../accounts/sessions.ts';
import type { SignInGuard } from '../accounts/sign-in.ts';
import { iso } from '../instant.ts';
import type { Services } from '../services.ts';
import { type Route, route } from './api.ts';
import type { SessionCookie } from './cookie.ts';
import { ownerView } from './session.ts';

/** The owner's profile, password and sessions. */
export function accountRoutes({ db }: Services, gate: SignInGuard, cookie: SessionCookie): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/profile',
      who: 'owner',
      body: ChangeProfile,
      handle: async ({ session, body }) => ownerView(await changeProfile(db, session.owner, body)),
    }),
    route({
      method: 'PUT',
      path: '/password',
      who: 'owner',
      body: ChangePassword,
      handle: ({ session, body, now }) =>
        gate.changePassword(session.owner, session.id, body.current, body.password, now),
    }),
    route({
      method: 'GET',
      path: '/sessions',
      who: 'owner',
      async handle({ session, now }): Promise<SignedInBrowser[]> {
        const rows = await listSessions(db, session.owner.id, now);
        return rows.map((row) => ({
          id: row.token_hash,
          userAgent: row.user_agent,
          createdAt: iso(row.created_at),
          lastSeenAt: iso(row.last_seen_at),
          isCurrent: row.token_hash === session.id,
        }));
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions',
      who: 'owner',
      async handle({ session, reply }) {
        await closeAll(db, session.owner.id);
        cookie.clear(reply);
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions/others',
      who: 'owner',
      async handle({ session }) {
        await closeOthers(db, session.owner.id, session.id);
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions/:sessionId',
      who: 'owner',
      handle: ({ session, params }) => closeListed(db, session.owner.id, params.sessionId as string),
    }),
  ];
}
