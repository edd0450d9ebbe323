import { type Owner, type SessionState, SetUp, SignIn } from '@store-sales/contract/console';
import type { FastifyRequest } from 'fastify';
import { hasOwners, type OwnerRow } from '../accounts/owners.ts';
import { closeSession } from '../accounts/sessions.ts';
import type { SignInGuard } from '../accounts/sign-in.ts';
import { clientNetwork } from '../http/client-address.ts';
import type { Services } from '../services.ts';
import { type Route, route } from './api.ts';
import type { SessionCookie } from './cookie.ts';

/** Sign-in, sign-out and set-up. */
export function sessionRoutes({ db }: Services, gate: SignInGuard, cookie: SessionCookie): Route[] {
  const userAgent = (request: FastifyRequest) => request.headers['user-agent'] ?? '';

  return [
    route({
      method: 'GET',
      path: '/session',
      who: 'anyone',
      async handle({ session }): Promise<SessionState> {
        return { setupNeeded: !session && !(await hasOwners(db)), owner: session ? ownerView(session.owner) : null };
      },
    }),
    route({
      method: 'POST',
      path: '/session',
      who: 'anyone',
      body: SignIn,
      async handle({ body, request, reply, now }) {
        const visitor = {
          address: request.ip,
          network: clientNetwork(request.ip),
          userAgent: userAgent(request),
          browser: cookie.browser(request),
          isGone: () => request.socket.destroyed,
        };
        const { token, ownerId } = await gate.signIn(body.email, body.password, visitor, now);
        cookie.write(reply, token);
        cookie.markBrowser(request, reply, ownerId);
      },
    }),
    route({
      method: 'DELETE',
      path: '/session',
      who: 'anyone',
      async handle({ session, reply }) {
        if (session) await closeSession(db, session.owner.id, session.id);
        cookie.clear(reply);
      },
    }),
    route({
      method: 'POST',
      path: '/setup',
      who: 'anyone',
      body: SetUp,
      async handle({ body: { token, ...details }, request, reply }) {
        const signedIn = await gate.setUp(token, details, userAgent(request));
        cookie.write(reply, signedIn.token);
        cookie.markBrowser(request, reply, signedIn.ownerId);
      },
    }),
  ];
}

export const ownerView = ({ id, email, name, language }: OwnerRow): Owner => ({
  id,
  email,
  name,
  language: language as Owner['language'],
});
