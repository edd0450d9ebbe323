import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFE } from '../accounts/sessions.ts';

/**
 * The cookie that holds the session's token. Over https it is bound to this very host (`__Host-`) and never
 * sent in the clear. Without https browsers differ (Safari keeps no `Secure` cookie even from localhost, and
 * none does from a plain address in a network), so there it has another name and lacks that mark.
 */
export function sessionCookie(publicUrl: string | undefined) {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = secure ? '__Host-session' : 'session';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    write: (reply: FastifyReply, token: string) =>
      reply.setCookie(name, token, { ...options, maxAge: SESSION_LIFE / 1000 }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, options),
  };
}

export type SessionCookie = ReturnType<typeof sessionCookie>;
