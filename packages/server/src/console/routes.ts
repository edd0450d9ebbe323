import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { signInGuard } from '../accounts/sign-in.ts';
import type { Admission } from '../http/admission.ts';
import { type SalesCache, salesCache } from '../orders/sales.ts';
import { CONSOLE_PAGES } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { accountRoutes } from './account.ts';
import { bindRoutes, type Route } from './api.ts';
import { catalogRoutes } from './catalog.ts';
import { type SessionCookie, sessionCookie } from './cookie.ts';
import { customerRoutes } from './customers.ts';
import { historyRoutes } from './history.ts';
import { homeRoutes } from './home.ts';
import { importRoutes } from './imports.ts';
import { keyRoutes } from './keys.ts';
import { orderRoutes } from './orders.ts';
import { pages, secureHeaders } from './pages.ts';
import { referenceRoutes } from './references.ts';
import { sessionRoutes } from './session.ts';
import { storeRoutes } from './stores.ts';
import { webhookRoutes } from './webhooks.ts';

/** Longest period on Home, in days. */
const MAX_PERIOD_DAYS = 90;

/** Every route of the console's API. A test calls the store routes with another owner's ids. */
export function consoleTable(services: Services, cookie: SessionCookie, sales: SalesCache): Route[] {
  const gate = signInGuard(services);
  return [
    ...sessionRoutes(services, gate, cookie),
    ...accountRoutes(services, gate, cookie),
    ...storeRoutes(services),
    ...keyRoutes(services),
    ...orderRoutes(services),
    ...catalogRoutes(services),
    ...customerRoutes(services),
    ...importRoutes(services),
    ...referenceRoutes(services),
    ...webhookRoutes(services),
    ...historyRoutes(services),
    ...homeRoutes(services, sales),
  ];
}

/** The console: its pages and their private API. */
export async function consoleRoutes(app: FastifyInstance, services: Services, identify: Admission['identify']) {
  const { db, log, now } = services;
  const cookie = sessionCookie(services.config);
  const sales = salesCache(db, (err) => log.warn({ err }, 'sums of sales not written down'));
  let isStopped = false;
  app.addHook('preClose', async () => {
    isStopped = true;
  });
  app.addHook('onListen', () => {
    sales
      .warmUp(MAX_PERIOD_DAYS, now(), () => isStopped)
      .catch((err) => log.warn({ err }, 'sales not summed up ahead'));
  });
  secureHeaders(app);
  await app.register(cookies);
  await app.register(
    async (api) => {
      takeFiles(api);
      bindRoutes(api, services, cookie, consoleTable(services, cookie, sales), identify);
      // Unknown API paths get 404, not a console page.
      for (const path of ['', '/*']) api.all(path, nothingHere);
    },
    { prefix: '/api' },
  );
  await pages(app, CONSOLE_PAGES);
}

async function nothingHere() {
  throw new Refusal('not_found', 'The console has no such route.');
}

/** Passes a file on as a stream. A connection with unread data left cannot be reused after the response. */
function takeFiles(api: FastifyInstance) {
  api.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  api.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) reply.header('Connection', 'close');
  });
}
