import type { FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';

/**
 * Rejects cross-site changes made with the owner's cookie (CSRF). Browsers send the origin of a request in headers that
 * no page can forge: `Sec-Fetch-Site` (to https and localhost), and `Origin` with every change.
 */
export function requireSameSite({ method, headers }: FastifyRequest, publicUrl: string | undefined) {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? isOwnOrigin(headers.origin, headers.host, publicUrl) : site === 'same-origin';
  if (!isOurs) throw new DomainError('cross_site', 'Changes are accepted only from the pages of the console itself.');
}

/** The origin of the page that sent a change, if it is one of the console's. */
export function originOf({ headers: { origin, host } }: FastifyRequest, publicUrl: string | undefined) {
  return isOwnOrigin(origin, host, publicUrl) ? origin : undefined;
}

function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | undefined) {
  if (!origin || !URL.canParse(origin)) return false;
  if (publicUrl && new URL(publicUrl).origin === origin) return true;
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}
