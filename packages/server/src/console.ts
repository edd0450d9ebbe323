import cookies from '@fastify/cookie';
import { type ConsoleEndpoint, consoleEndpoints, pictureTypes, type Stream } from '@store-sales/contract/console';
import type { FastifyInstance } from 'fastify';
import { withAccess } from './accounts/access.ts';
import { accountConsoleRoutes } from './accounts/console-routes.ts';
import { sessionGuard } from './accounts/guard.ts';
import { passwordResets } from './accounts/password-resets.ts';
import { secondFactorConsoleRoutes } from './accounts/second-factor/console-routes.ts';
import { stepUp } from './accounts/second-factor/step-up.ts';
import { sessionCookie } from './accounts/session-cookie.ts';
import { signInGuard } from './accounts/sign-in.ts';
import { catalogConsoleRoutes } from './catalog/console-routes.ts';
import { customerMailConsoleRoutes } from './customer-mail/console-routes.ts';
import { customerConsoleRoutes } from './customers/console-routes.ts';
import { DomainError } from './domain-error.ts';
import { pictureReceiver } from './files/receive-picture.ts';
import { historyConsoleRoutes } from './history/console-routes.ts';
import { homeConsoleRoutes } from './home/console-routes.ts';
import type { Admission } from './http/admission.ts';
import { bind, type ConsoleHandlers, type Route } from './http/bind.ts';
import { consolePages, secureHeaders } from './http/console-pages.ts';
import { importSlots } from './imports/console-import.ts';
import { keyConsoleRoutes } from './keys/console-routes.ts';
import { liveConsoleRoutes } from './live/console-routes.ts';
import { watchStores } from './live/watch-stores.ts';
import { memberConsoleRoutes } from './members/console-routes.ts';
import { orderConsoleRoutes } from './orders/console-routes.ts';
import { type SalesCache, salesCache } from './orders/sales/sales.ts';
import { statusConsoleRoutes } from './orders/statuses/console-routes.ts';
import { viewConsoleRoutes } from './orders/views/console-routes.ts';
import { CONSOLE_PAGES } from './paths.ts';
import { personalDataConsoleRoutes } from './personal-data/console-routes.ts';
import { promoConsoleRoutes } from './promo/console-routes.ts';
import { referenceConsoleRoutes } from './references/console-routes.ts';
import { requestConsoleRoutes } from './requests/console-routes.ts';
import type { Services } from './services.ts';
import { shopConsoleRoutes } from './shop/console-routes.ts';
import { webhookConsoleRoutes } from './webhooks/console-routes.ts';

/** Longest period on Home, in days. */
const MAX_PERIOD_DAYS = 90;

const routes = Object.entries(consoleEndpoints).map(([name, row]: [string, ConsoleEndpoint]) => {
  const { access, stepUp, needsNoFactor, query, body, isRepeatable, upload, response, status } = row;
  const isStream = response !== null && 'contentType' in response;
  const [method, path] = name.split(' ') as [Route['method'], string];
  return {
    name,
    method,
    path,
    access,
    ...(stepUp && { stepUp }),
    ...(needsNoFactor && { needsNoFactor }),
    ...(query && { query }),
    ...(body && { body }),
    ...(isRepeatable && { isRepeatable }),
    ...(upload && { upload }),
    ...((upload || isStream) && { isLong: true as const }),
    ...(isStream && !upload && { maxOpen: (response as Stream).maxOpen }),
    status: status ?? 200,
    contentType: isStream ? (response.contentType as string) : 'application/json; charset=utf-8',
  };
});

/** The console: its pages and their private API, guarded by sessions. */
export async function bindConsole(
  app: FastifyInstance,
  services: Services,
  identify: Admission['identify'],
  publicUrl: () => string,
) {
  const cookie = sessionCookie(services.config);
  const signIn = signInGuard(services);
  const resets = passwordResets(services, publicUrl);
  const slots = importSlots();
  const receivePicture = pictureReceiver(services);
  const watch = watchStores(services, (watchers) => withAccess(services.db, watchers, services.now()));
  app.addHook('preClose', async () => watch.stop());
  app.addHook('onClose', () => resets.idle());
  const handlers: ConsoleHandlers = {
    ...accountConsoleRoutes(services, cookie, signIn, resets),
    ...secondFactorConsoleRoutes(services, stepUp(services, signIn.hasPassword)),
    ...memberConsoleRoutes(services, cookie, signIn, publicUrl),
    ...homeConsoleRoutes(services, warmSalesCache(app, services)),
    ...liveConsoleRoutes(watch),
    ...historyConsoleRoutes(services),
    ...orderConsoleRoutes(services, publicUrl),
    ...customerMailConsoleRoutes(services),
    ...statusConsoleRoutes(services),
    ...viewConsoleRoutes(services),
    ...catalogConsoleRoutes(services, slots, receivePicture),
    ...customerConsoleRoutes(services, slots),
    ...promoConsoleRoutes(services),
    ...personalDataConsoleRoutes(services),
    ...referenceConsoleRoutes(services),
    ...keyConsoleRoutes(services),
    ...requestConsoleRoutes(services),
    ...webhookConsoleRoutes(services),
    ...shopConsoleRoutes(services, publicUrl, receivePicture),
  };
  secureHeaders(app);
  await app.register(cookies);
  await app.register(
    async (api) => {
      acceptFiles(api);
      bind(api, services, {
        routes,
        handlers,
        guard: sessionGuard(services, cookie, identify),
        storeIdOf: (caller) => ('store' in caller ? caller.store.id : ''),
        limitOf(caller, { method, upload }) {
          // An upload receives its file first and is limited where it runs.
          if (!('store' in caller) || upload) return undefined;
          return { kind: method === 'GET' ? 'slowRead' : 'consoleWrite', tenantId: caller.store.owner_id };
        },
      });
      // Unknown API paths get 404, not a console page.
      for (const path of ['', '/*']) api.all(path, noSuchRoute);
    },
    { prefix: '/api' },
  );
  await consolePages(app, CONSOLE_PAGES);
}

/** Sums up the sales of large stores in the background after the start. */
function warmSalesCache(app: FastifyInstance, { db, log, now }: Services): SalesCache {
  const sales = salesCache(db);
  let isStopped = false;
  app.addHook('preClose', async () => {
    isStopped = true;
  });
  app.addHook('onListen', () => {
    sales
      .warmUp(MAX_PERIOD_DAYS, now(), () => isStopped)
      .catch((err) => log.warn({ err }, 'failed to warm up the sales cache'));
  });
  return sales;
}

async function noSuchRoute() {
  throw new DomainError('not_found', 'The console has no such route.');
}

/** Passes a file on as a stream. A connection with unread data left cannot be reused after the response. */
function acceptFiles(api: FastifyInstance) {
  api.addContentTypeParser(['text/csv', ...pictureTypes], (_request, payload, done) => done(null, payload));
  api.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) reply.header('Connection', 'close');
  });
}
