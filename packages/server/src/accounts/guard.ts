import type { Access, ConsoleEndpoint } from '@store-sales/contract/console';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import type { Admission } from '../http/admission.ts';
import type { Guard, Route } from '../http/bind.ts';
import type { ConsoleCaller, Session } from '../http/callers.ts';
import { requireVerified } from '../http/callers.ts';
import type { Services } from '../services.ts';
import type { MemberStore } from '../tenants.ts';
import { requireSameSite } from './same-site.ts';
import { hasSecondFactor } from './second-factor/factors.ts';
import type { SessionCookie } from './session-cookie.ts';
import { findSession, readSession } from './sessions.ts';
import { storeOf } from './stores.ts';

type ConsoleRow = Route & Pick<ConsoleEndpoint, 'access' | 'stepUp' | 'needsNoFactor'>;

/** Guards the console: a request from its own pages, a session, and a role in the store. */
export function sessionGuard(
  { db, config, now }: Services,
  cookie: SessionCookie,
  identify: Admission['identify'],
): Guard<ConsoleRow, ConsoleCaller> {
  async function sessionOf(request: FastifyRequest, reply: FastifyReply) {
    const token = cookie.read(request);
    const session = token ? await readSession(db, token, now()) : undefined;
    if (token && session?.isProlonged) {
      cookie.write(reply, token);
      // A session opened before known-browser cookies existed.
      if (!cookie.browser(request)) cookie.markBrowser(request, reply, session.account.id);
    }
    return session;
  }

  /** The store in the path. */
  async function openStore(at: Queryable, { account }: Session, { params }: FastifyRequest, row: ConsoleRow) {
    const store = await storeOf(at, account.id, (params as { storeId: string }).storeId);
    if (!row.needsNoFactor && store.is_second_factor_required && !(await hasSecondFactor(at, account.id)))
      throw new DomainError('second_factor_required', 'This store requires a second factor. Set one up first.');
    return store;
  }

  return {
    async authenticate(request, reply, row) {
      const { access } = row;
      reply.header('Cache-Control', 'no-store');
      requireSameSite(request, config.PUBLIC_URL);
      const session = await sessionOf(request, reply);
      if (session) identify(request, session.account.id);
      if (access === 'anyone') return { session };
      if (!session) throw signedOut();
      const actor = { kind: 'owner', id: session.account.id } as const;
      if (access === 'account') return { session, actor };
      const store = await openStore(db, session, request, row);
      // All members of a store count as its owner, who otherwise gets a larger share with every invitation.
      identify(request, store.owner_id);
      return { session, actor, store };
    },
    count(caller, request) {
      if ('store' in caller) request.logIds = { storeId: caller.store.id };
      return undefined;
    },
    authorize(caller, { access, stepUp }) {
      if ('store' in caller) requireRole(caller.store, access);
      if (stepUp && caller.session) requireVerified(caller.session, now());
    },
    async check(request, row, at) {
      if (row.access === 'anyone') return;
      const token = cookie.read(request);
      const session = token && (await findSession(at, token, now()));
      if (!session) throw signedOut();
      if (row.access !== 'account') requireRole(await openStore(at, session, request, row), row.access);
    },
  };
}

const signedOut = () => new DomainError('signed_out', 'Sign in first.');

function requireRole({ role }: MemberStore, access: Access) {
  if (!access.includes(role))
    throw new DomainError('role_required', `Your role in this store (${role}) does not allow this.`);
}
