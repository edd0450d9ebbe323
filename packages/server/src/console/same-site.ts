import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Rejects cross-site changes made with the owner's cookie (CSRF). Browsers send the origin of a request in headers that
 * no page can forge: `Sec-Fetch-Site` (to https and localhost), and `Origin` with every change.
 */
export function requireSameSite({ method, headers }: FastifyRequest, publicUrl: string | undefined) {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? isOwnOrigin(headers.origin, headers.host, publicUrl) : site === 'same-origin';
  if (!isOurs) throw new Refusal('cross_site', 'Changes are accepted only from the pages of the console itself.');
}

function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | undefined) {
  if (!origin || !URL.canParse(origin)) return false;
  if (publicUrl && new URL(publicUrl).origin === origin) return true;
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}
