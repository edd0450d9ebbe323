import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { knownBrowsers, newBrowserId } from './known-browsers.ts';
import { SESSION_LIFE, type SignedIn } from './sessions.ts';

/** The longest lifetime browsers allow for a cookie. */
const BROWSER_LIFE_SECONDS = 400 * 86_400;

/**
 * The session cookie. Over https it is bound to this host (`__Host-`) and `Secure`. Without https browsers differ
 * (Safari drops `Secure` cookies even from localhost, and all do from a plain address in a network), so there it has
 * another name and is not `Secure`.
 */
export function sessionCookie({ PUBLIC_URL: publicUrl, SECRET_KEY }: Pick<Config, 'PUBLIC_URL' | 'SECRET_KEY'>) {
  const known = knownBrowsers(SECRET_KEY);
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = secure ? '__Host-session' : 'session';
  const browserName = secure ? '__Host-browser' : 'browser';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  const write = (reply: FastifyReply, token: string) =>
    reply.setCookie(name, token, { ...options, maxAge: SESSION_LIFE / 1000 });

  /** Marks the browser as known for this owner, also after signing out. */
  function markBrowser(request: FastifyRequest, reply: FastifyReply, ownerId: string) {
    const before = known.read(request.cookies[browserName]);
    const id = before?.ownerId === ownerId ? before.id : newBrowserId();
    const value = known.write({ ownerId, id });
    reply.setCookie(browserName, value, { ...options, sameSite: 'strict', maxAge: BROWSER_LIFE_SECONDS });
  }

  return {
    read: (request: FastifyRequest) => request.cookies[name],
    write,
    /** The cookies of a browser in which this account has just signed in. */
    signIn(request: FastifyRequest, reply: FastifyReply, { token, ownerId }: SignedIn) {
      write(reply, token);
      markBrowser(request, reply, ownerId);
    },
    clear: (reply: FastifyReply) => reply.clearCookie(name, options),
    /** The known browser, if an owner has signed in with it before. */
    browser: (request: FastifyRequest) => known.read(request.cookies[browserName]),
    markBrowser,
  };
}

export type SessionCookie = ReturnType<typeof sessionCookie>;
