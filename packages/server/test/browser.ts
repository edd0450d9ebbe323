import { checkConsoleResponse } from './console-check.ts';
import type { Reply, Service } from './service.ts';

/** A browser on the console's pages: stores cookies and sends an Origin header. */
export function browser(service: Service, headers: Record<string, string> = { origin: service.url }) {
  const jar = new Map<string, string>();

  async function send(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<Reply> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await service.send(method, `/console/api${path}`, {
      headers: { ...headers, ...more, ...(cookie && { cookie }) },
      ...(body !== undefined && { body }),
    });
    checkConsoleResponse(method, path, reply.status, reply.body);
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return reply;
  }

  return {
    jar,
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown) => send('POST', path, body),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => send('PUT', path, body, headers),
    patch: (path: string, body?: unknown, more?: Record<string, string>) => send('PATCH', path, body, more),
    delete: (path: string) => send('DELETE', path),
    /** Confirms with the password that it is still the same person. */
    async verify(password = 'correct horse') {
      const { body } = await send('POST', '/session/verify/start');
      return send('POST', '/session/verify', { token: body.token, password });
    },
    signIn: (email: string, password = 'correct horse') => send('POST', '/session', { email, password }),
  };
}

export type Browser = ReturnType<typeof browser>;
