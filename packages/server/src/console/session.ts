import { type Owner, type SessionState, SetUp, SignIn } from '@store-sales/contract/console';
import type { FastifyRequest } from 'fastify';
import { hasOwners, type OwnerRow } from '../accounts/owners.ts';
import { closeSession } from '../accounts/sessions.ts';
import { setUp } from '../accounts/setup.ts';
import type { Gatekeeper } from '../accounts/sign-in.ts';
import type { Services } from '../services.ts';
import { type Route, route } from './api.ts';
import type { SessionCookie } from './cookie.ts';

/** Coming in and going out. */
export function sessionRoutes(services: Services, gate: Gatekeeper, cookie: SessionCookie): Route[] {
  const { db } = services;
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
        const visitor = { address: request.ip, userAgent: userAgent(request) };
        cookie.write(reply, await gate.signIn(body.email, body.password, visitor, now));
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
        cookie.write(reply, await setUp(services, token, details, userAgent(request)));
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
