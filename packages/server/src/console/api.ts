import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { TooSoon } from '../accounts/attempts.ts';
import { readSession, type Session } from '../accounts/sessions.ts';
import { type StoreRow, storeOf } from '../accounts/stores.ts';
import type { Actor } from '../actor.ts';
import type { Admission } from '../http/admission.ts';
import { bodyReader, queryReader } from '../http/validate.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { SessionCookie } from './cookie.ts';
import { requireSameSite } from './same-site.ts';

/** Who may call a route: anyone, a signed-in owner, or the owner of the store in the path. */
export type Access = 'anyone' | 'owner' | 'store';

export interface Call<Who extends Access, Schema extends TObject, Query extends TObject> {
  session: Who extends 'anyone' ? Session | undefined : Session;
  store: Who extends 'store' ? StoreRow : undefined;
  params: Record<string, string>;
  query: Static<Query>;
  body: Static<Schema>;
  now: number;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Definition<Who extends Access, Schema extends TObject, Query extends TObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/console/api`; store routes begin with `/stores/:storeId`. */
  path: string;
  who: Who;
  query?: Query;
  body?: Schema;
  /** Returns a record, its bytes or a stream; undefined is sent as 204. */
  handle(call: Call<Who, Schema, Query>): Promise<unknown>;
}

export type Route = Definition<Access, TObject, TObject>;

/** A route whose handler is typed by its access level and input. */
export const route = <Who extends Access, Schema extends TObject, Query extends TObject>(
  definition: Definition<Who, Schema, Query>,
) => definition as unknown as Route;

const notJson = () => new Refusal('unsupported_media_type', 'Send the body as application/json.');

/** The actor of a change in the console: the signed-in owner. */
export const actorOf = (session: Session): Actor => ({ kind: 'owner', id: session.owner.id });

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

/** Registers the console's routes: same-site check → session → validation → store → handler. */
export function bindRoutes(
  app: FastifyInstance,
  services: Services,
  cookie: SessionCookie,
  routes: readonly Route[],
  identify: Admission['identify'],
) {
  const { db, config, limit, now } = services;
  app.decorateRequest('session', undefined);

  async function readSessionOf(request: FastifyRequest, reply: FastifyReply, who: Access) {
    const token = cookie.read(request);
    request.session = token ? await readSession(db, token, now()) : undefined;
    if (token && request.session?.isProlonged) {
      cookie.write(reply, token);
      // A session opened before known-browser cookies existed.
      if (!cookie.browser(request)) cookie.markBrowser(request, reply, request.session.owner.id);
    }
    if (who !== 'anyone' && !request.session) throw new Refusal('signed_out', 'Sign in first.');
  }

  for (const { method, path, who, query, body, handle } of routes) {
    const readQuery = query && queryReader(query);
    const readBody = body && bodyReader(body);
    app.route<{ Params: Record<string, string> }>({
      method,
      url: path,
      // Before the body is read, so that unauthorized requests are rejected whatever they send.
      async onRequest(request, reply) {
        reply.header('Cache-Control', 'no-store');
        requireSameSite(request, config.PUBLIC_URL);
        await readSessionOf(request, reply, who);
        if (request.session) identify(request, request.session.owner.id);
        request.isBodyLate = !request.raw.complete;
      },
      // A body may arrive long after its headers, and the session may have ended meanwhile.
      async preHandler(request, reply) {
        if (readBody && request.isBodyLate) await readSessionOf(request, reply, who);
      },
      async handler(request, reply) {
        // Only imports take a file, which is passed on as a stream.
        if (readBody && request.body instanceof Readable) throw notJson();
        if (readBody && request.body === undefined) throw new Refusal('malformed_json', 'The body is empty.');
        const { session, params } = request;
        // Stored text never contains NUL, and PostgreSQL rejects it.
        if (Object.values(params).some((param) => param.includes('\0')))
          throw new Refusal('not_found', 'There is no such record.');
        const store =
          who === 'store' ? await storeOf(db, session?.owner.id as string, params.storeId as string) : undefined;
        const call = {
          session,
          store,
          params,
          query: readQuery?.(request.raw.url as string),
          body: readBody?.(request.body),
          now: now(),
          request,
          reply,
        };
        const work = () => handle(call as Call<Access, TObject, TObject>);
        const isGone = () => request.raw.socket.destroyed;
        const kind = method === 'GET' ? 'consoleRead' : 'consoleWrite';
        // An import receives its file first and is limited where it runs.
        const isLimited = session && store && !(request.body instanceof Readable);
        const answering = isLimited ? limit(kind, session.owner.id, work, { isGone }) : work();
        const answer = await answering.catch((error: unknown) => {
          if (error instanceof TooSoon) reply.header('Retry-After', error.seconds);
          throw error;
        });
        if (answer === undefined) return reply.code(204).send();
        if (answer instanceof Readable) return reply.send(answer);
        const content = Buffer.isBuffer(answer) ? answer : JSON.stringify(answer);
        return reply.type('application/json; charset=utf-8').send(content);
      },
    });
  }
}
