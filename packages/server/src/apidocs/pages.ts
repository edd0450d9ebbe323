import type { FastifyInstance } from 'fastify';
import { StaticText } from '../http/compression.ts';
import { ERRORS_PATH } from '../http/errors.ts';
import { VERSION } from '../paths.ts';
import { assets } from './assets.ts';
import { Reference } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { REFERENCE_PATH } from './layout.ts';
import { referencePage } from './reference-page.ts';

const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const FOREVER = 'public, max-age=31536000, immutable';
/** Browsers revalidate the page on each request. */
const REVALIDATE = 'no-cache';

/** The API reference and the error reference: rendered once, without third-party resources. */
export function referencePages(app: FastifyInstance, publicUrl: () => string) {
  // Rendered on the first request, because the address is known only after the service listens.
  const reference = () => new Reference(publicUrl(), VERSION);
  const type = 'text/html; charset=utf-8';
  serve(app, REFERENCE_PATH, { type, cache: REVALIDATE, render: () => referencePage(reference()).text });
  serve(app, ERRORS_PATH, { type, cache: REVALIDATE, render: () => errorsPage(reference()).text });
  for (const { path, type, text } of Object.values(assets))
    serve(app, path, { type, cache: FOREVER, render: () => text });
  app.get(`${REFERENCE_PATH}/`, (_request, reply) => reply.redirect(REFERENCE_PATH));
}

interface Resource {
  type: string;
  cache: string;
  render(): string;
}

function serve(app: FastifyInstance, path: string, { type, cache, render }: Resource) {
  let rendered: StaticText | undefined;
  app.get(path, (request, reply) => {
    rendered ??= new StaticText(render());
    reply.headers(securityHeaders).type(type).header('Cache-Control', cache);
    return rendered.send(request, reply);
  });
}
