import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';
import { StoreBusy } from './store-limit.ts';

export interface InnerRequest {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  payload?: string | undefined;
}

export interface InnerResponse {
  status: number;
  header(name: string): string | undefined;
  body: Buffer;
}

const innerRequests = new WeakSet<IncomingMessage>();

/** Whether another request, which the rate limit has counted, makes this one. */
export const isInner = ({ raw }: FastifyRequest) => innerRequests.has(raw);

/**
 * Handles a request of the API inside another one, with the key and the address of that one. It passes every hook and
 * check that a request from outside passes. (`app.inject` does the same, but fails while the service is stopping.)
 */
export async function innerRequest(
  app: FastifyInstance,
  outer: FastifyRequest,
  { method, url, headers, payload }: InnerRequest,
): Promise<InnerResponse> {
  const { inject } = await import('light-my-request');
  const { socket } = outer.raw;
  if (socket.destroyed) throw new StoreBusy();
  const all = {
    authorization: outer.headers.authorization ?? '',
    'x-request-id': outer.id,
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const response = await inject(
    (request, response) => {
      const raw = request as unknown as IncomingMessage;
      Object.defineProperty(raw.socket, 'destroyed', { get: () => socket.destroyed });
      const headersDistinct = Object.fromEntries(Object.entries(raw.headers).map(([name, value]) => [name, [value]]));
      // The URL unchanged: the library would resolve an id such as `..` as a path segment.
      Object.assign(raw, { url, complete: true, headersDistinct });
      innerRequests.add(raw);
      app.routing(raw, response as never);
    },
    {
      method,
      url,
      headers: all,
      remoteAddress: clientAddress(outer),
      ...(payload !== undefined && { payload }),
      // Otherwise the library also decodes the body as text.
      payloadAsStream: true,
    },
  );
  return {
    status: response.statusCode,
    header: (name) => response.headers[name.toLowerCase()]?.toString(),
    body: Buffer.concat(await response.stream().toArray()),
  };
}
