import type { FastifyRequest } from 'fastify';
import { shortHash } from '../text/short-hash.ts';

/** Whether the client says that it has this version; compared weakly, as proxies that compress make tags weak. */
export function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.trim() === '*' || known.split(',').some((tag) => opaque(tag.trim()) === opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

export const tagOf = (body: Buffer | string) => `"${shortHash(body)}"`;
