import type { ConsoleEndpoint } from '@store-sales/contract/console';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import type { Admission } from '../http/admission.ts';
import type { Guard, Route } from '../http/bind.ts';
import type { ConsoleCaller } from '../http/callers.ts';
import type { Services } from '../services.ts';
import { requireSameSite } from './same-site.ts';
import { hasSecondFactor } from './second-factor/factors.ts';
import { requireVerified } from './second-factor/step-up.ts';
import type { SessionCookie } from './session-cookie.ts';
import { readSession } from './sessions.ts';
import { storeOf } from './stores.ts';

/** Guards the console: a request from its own pages, a session, and a role in the store. */
export function sessionGuard(
  { db, config, now }: Services,
  cookie: SessionCookie,
  identify: Admission['identify'],
): Guard<Route & Pick<ConsoleEndpoint, 'access' | 'stepUp' | 'needsNoFactor'>, ConsoleCaller> {
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

  return {
    async authenticate(request, reply, { access, needsNoFactor }) {
      reply.header('Cache-Control', 'no-store');
      requireSameSite(request, config.PUBLIC_URL);
      const session = await sessionOf(request, reply);
      if (session) identify(request, session.account.id);
      if (access === 'anyone') return { session };
      if (!session) throw new DomainError('signed_out', 'Sign in first.');
      const actor = { kind: 'owner', id: session.account.id } as const;
      if (access === 'account') return { session, actor };
      const { storeId } = request.params as { storeId: string };
      const store = await storeOf(db, session.account.id, storeId);
      if (!needsNoFactor && store.is_second_factor_required && !(await hasSecondFactor(db, session.account.id)))
        throw new DomainError('second_factor_required', 'This store requires a second factor. Set one up first.');
      // All members of a store count as its owner, who otherwise gets a larger share with every invitation.
      identify(request, store.owner_id);
      return { session, actor, store };
    },
    count(caller, request) {
      if ('store' in caller) request.logIds = { storeId: caller.store.id };
      return undefined;
    },
    authorize(caller, { access, stepUp }) {
      if ('store' in caller && !access.includes(caller.store.role))
        throw new DomainError('role_required', `Your role in this store (${caller.store.role}) does not allow this.`);
      if (stepUp && caller.session) requireVerified(caller.session, now());
    },
  };
}
