import type { FastifyRequest } from 'fastify';
import { clientAddress, clientNetwork } from '../http/client-address.ts';
import type { KnownBrowser } from './known-browsers.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Someone who signs in. */
export interface Visitor {
  address: string;
  /** The key for rate limits: the IPv4 address or the IPv6 /64. */
  network: string;
  userAgent: string;
  browser: KnownBrowser | undefined;
  isGone(): boolean;
}

export const visitorOf = (cookie: SessionCookie, request: FastifyRequest, isGone: () => boolean): Visitor => ({
  address: clientAddress(request),
  network: clientNetwork(request.ip),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  browser: cookie.browser(request),
  isGone,
});
