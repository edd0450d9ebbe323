import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ERRORS_PATH } from '../http/errors.ts';
import { VERSION } from '../paths.ts';
import { assets } from './assets.ts';
import { Reference } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { REFERENCE_PATH } from './layout.ts';
import { referencePage } from './reference-page.ts';

const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const FOREVER = 'public, max-age=31536000, immutable';
/** A browser may keep the page, but asks each time whether it has changed. */
const ASK = 'no-cache';

/** The readable reference and the error reference: made once, kept in memory, free of third parties. */
export function referencePages(app: FastifyInstance, publicUrl: () => string) {
  // On the first request, because the address is known only once the service listens.
  const reference = () => new Reference(publicUrl(), VERSION);
  const type = 'text/html; charset=utf-8';
  serve(app, REFERENCE_PATH, { type, cache: ASK, make: () => referencePage(reference()).text });
  serve(app, ERRORS_PATH, { type, cache: ASK, make: () => errorsPage(reference()).text });
  for (const { path, type, text } of Object.values(assets))
    serve(app, path, { type, cache: FOREVER, make: () => text });
  app.get(`${REFERENCE_PATH}/`, (_request, reply) => reply.redirect(REFERENCE_PATH));
}

interface Resource {
  type: string;
  cache: string;
  make(): string;
}

function serve(app: FastifyInstance, path: string, { type, cache, make }: Resource) {
  let made: ReturnType<typeof pack> | undefined;
  app.get(path, async (request, reply) => {
    made ??= pack(make());
    reply
      .headers(securityHeaders)
      .type(type)
      .headers({ 'Cache-Control': cache, ETag: made.etag, Vary: 'Accept-Encoding' });
    if (request.headers['if-none-match'] === made.etag) return reply.code(304).send();
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(made.plain);
    return reply.header('Content-Encoding', 'gzip').send(made.zipped);
  });
}

function pack(text: string) {
  const plain = Buffer.from(text);
  // Weak, because the zipped and the plain form share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`;
  return { plain, zipped: gzipSync(plain), etag };
}
