import type { Account, SignedInBrowser, Store } from '@store-sales/contract/console';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import type { ConsoleHandlers, ConsoleHandlersAt } from '../http/bind.ts';
import { clientNetwork } from '../http/client-address.ts';
import type { Services } from '../services.ts';
import type { AccountRow, MemberStore } from '../tenants.ts';
import { iso } from '../time/instant.ts';
import { changeProfile, hasOwners } from './owners.ts';
import type { PasswordResets } from './password-resets.ts';
import { originOf } from './same-site.ts';
import type { SessionCookie } from './session-cookie.ts';
import { closeAll, closeListed, closeOthers, closeSession, listSessions } from './sessions.ts';
import type { SignInGuard } from './sign-in.ts';
import { changeStore, createStore, requireSecondFactor, storesOf } from './stores.ts';
import { visitorOf } from './visitor.ts';

type AccountRoutes = ConsoleHandlersAt<
  | '/session/second-factor'
  | '/setup'
  | '/forgotten-password'
  | '/password-reset'
  | '/profile'
  | '/password'
  | '/sessions'
  | '/stores/{storeId}/second-factor'
> &
  Pick<
    ConsoleHandlers,
    'GET /session' | 'POST /session' | 'DELETE /session' | 'GET /stores' | 'POST /stores' | 'PATCH /stores/{storeId}'
  >;

/** Set-up, sign-in, the owner's profile, sessions and stores. */
export function accountConsoleRoutes(
  { db, config }: Services,
  cookie: SessionCookie,
  guard: SignInGuard,
  resets: PasswordResets,
): AccountRoutes {
  const originOfPage = (request: FastifyRequest) => originOf(request, config.PUBLIC_URL);

  return {
    async 'GET /session'({ session }) {
      const setupNeeded = !session && !(await hasOwners(db));
      return {
        body: {
          setupNeeded,
          account: session ? accountView(session.account) : null,
          mailEnabled: config.SMTP_URL !== undefined,
        },
      };
    },
    async 'POST /session'({ body, request, reply, now, isGone }) {
      const result = await guard.signIn(body, visitorOf(cookie, request, isGone), originOfPage(request), now);
      if ('methods' in result) return { body: result };
      cookie.signIn(request, reply, result);
      return undefined;
    },
    async 'POST /session/second-factor'({ body, request, reply, now, isGone }) {
      const visitor = visitorOf(cookie, request, isGone);
      cookie.signIn(request, reply, await guard.finishSignIn(body, visitor, originOfPage(request), now));
    },
    async 'DELETE /session'({ session, reply }) {
      if (session) await closeSession(db, session.account.id, session.id);
      cookie.clear(reply);
    },
    async 'POST /setup'({ body: { token, ...details }, request, reply, isGone }) {
      cookie.signIn(request, reply, await guard.setUp(token, details, visitorOf(cookie, request, isGone)));
    },

    async 'POST /forgotten-password'({ body, request, now }) {
      resets.request(body.email, clientNetwork(request.ip), request.headers['accept-language'] ?? '', now);
    },
    'POST /password-reset': ({ body, now }) => guard.resetPassword(body.token, body.password, now),

    'PATCH /profile': async ({ session, body }) => ({
      body: accountView(await changeProfile(db, session.account, body)),
    }),
    'PUT /password': ({ session, body, now }) =>
      guard.changePassword(session.account, session.id, body.current, body.password, now),
    async 'GET /sessions'({ session, now }) {
      const rows = await listSessions(db, session.account.id, now);
      return {
        body: rows.map(
          (row): SignedInBrowser => ({
            id: row.token_hash,
            userAgent: row.user_agent,
            address: row.address,
            createdAt: iso(row.created_at),
            lastSeenAt: iso(row.last_seen_at),
            isCurrent: row.token_hash === session.id,
          }),
        ),
      };
    },
    async 'DELETE /sessions'({ session, reply }) {
      await closeAll(db, session.account.id);
      cookie.clear(reply);
    },
    async 'DELETE /sessions/others'({ session }) {
      await closeOthers(db, session.account.id, session.id);
    },
    'DELETE /sessions/{sessionId}': ({ session, params }) => closeListed(db, session.account.id, params.sessionId),

    'GET /stores': async ({ session }) => ({ body: (await storesOf(db, session.account.id)).map(storeView) }),
    async 'POST /stores'({ session, actor, body, now }) {
      if (session.account.is_invited)
        throw new DomainError('role_required', 'Only owners can create stores. Ask the operator for an owner account.');
      const created = await createStore(db, { ...body, ownerId: session.account.id }, now, actor);
      return { body: storeView({ ...created, role: 'owner', is_owner_of_all: true }) };
    },
    'PUT /stores/{storeId}/second-factor': async ({ session, store, actor, body, now }) => ({
      body: storeView(await requireSecondFactor(db, store, session.account.id, body.isRequired, actor, now)),
    }),
    'PATCH /stores/{storeId}': async ({ store, actor, body, now }) => ({
      body: storeView(await changeStore(db, store, body, actor, now)),
    }),
  };
}

const accountView = ({ id, email, name, language, is_invited }: AccountRow): Account => ({
  id,
  email,
  name,
  language: language as Account['language'],
  mayCreateStores: !is_invited,
});

const storeView = (store: MemberStore): Store => ({
  id: store.id,
  name: store.name,
  currency: store.currency,
  timezone: store.timezone,
  lowStock: store.low_stock,
  plan: store.plan,
  isActive: store.is_active,
  createdAt: iso(store.created_at),
  role: store.role,
  mayChangeTypes: store.is_owner_of_all,
  requiresSecondFactor: store.is_second_factor_required,
});
