import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireSameSite } from '../accounts/same-site.ts';
import { type DomainError, notFound } from '../domain-error.ts';
import { respondTo } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { plainPage } from './pages.ts';
import type { Language } from './shops.ts';
import { type Texts, textsOf } from './texts.ts';
import { send } from './visits.ts';

const MAX_FORM_BYTES = 64 * 1024;

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https:",
  "base-uri 'none'",
  "form-action 'self'",
  // The console shows a preview.
  "frame-ancestors 'self'",
].join('; ');

const headers = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** The public order pages: plain HTML forms, for visitors who are not signed in. */
export async function shopRoutes(app: FastifyInstance, services: Services, publicUrl: () => string) {
  const { config } = services;
  await app.register(cookies);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.decorateRequest('shopLanguage', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    requireSameSite(request, config.PUBLIC_URL);
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, domainError } = respondTo(error, request, reply);
    const language = request.shopLanguage ?? languageOf(request);
    const [title, text] = explained(domainError, textsOf(language));
    return send(reply.code(status), plainPage(language, title, text));
  });
  app.all('/*', async () => {
    throw notFound('page');
  });

  catalogRoutes(app, services, publicUrl);
  orderRoutes(app, services, publicUrl);
}

/** Where there is no open shop, that of the browser. */
const languageOf = ({ headers }: FastifyRequest): Language =>
  /^ru\b/i.test(headers['accept-language'] ?? '') ? 'ru' : 'en';

function explained({ code }: DomainError, t: Texts): [title: string, text: string] {
  if (code === 'not_found' || code === 'invalid_cursor') return [t.notFoundTitle, t.notFound];
  if (code === 'rate_limited') return [t.tooMany, t.tooManyText];
  if (code === 'cross_site') return [t.failed, t.crossSite];
  return [t.failed, t.failedText];
}
