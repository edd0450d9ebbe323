import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { hasOwners } from './accounts/owners.ts';
import { setupPath } from './accounts/setup.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { watchStoreClocks } from './db/clock/clocks-ahead.ts';
import { serverTime } from './db/clock/server-time.ts';
import { requireDistributed } from './db/cluster/distribute.ts';
import { DatabaseMoving } from './db/database.ts';
import { heartbeat, newNode } from './db/installation/nodes.ts';
import { checkSecretKeys } from './db/installation/secret-keys.ts';
import { keepStatistics } from './db/installation/statistics.ts';
import { migrate, refuseNewer, SCHEMA_VERSION, SchemaTooNew, schemaOf } from './db/migrations/migrate.ts';
import { openDatabase } from './db/open.ts';
import { yieldToNewConnections } from './http/accept-fairness.ts';
import { clockMetrics } from './http/metrics.ts';
import { mailAboutExpiry } from './keys/expiry-mails.ts';
import { logOptions } from './keys/log-options.ts';
import { mailMetrics } from './mail/metrics.ts';
import { startMailer } from './mail/start-mailer.ts';
import { startTasks } from './maintenance/start-tasks.ts';
import { maintenanceTasks } from './maintenance/tasks.ts';
import { mailAboutOrders } from './members/order-mails.ts';
import { resumeChanges } from './orders/write/resume-changes.ts';
import { VERSION } from './paths.ts';
import { finishErasures } from './personal-data/erase-customer.ts';
import { servicesFor } from './services.ts';
import { MINUTE, SECOND } from './time/duration.ts';
import { webhookMetrics } from './webhooks/dispatch/metrics.ts';
import { startDispatcher } from './webhooks/dispatch/start-dispatcher.ts';
import { mailAboutFailing } from './webhooks/endpoints/endpoint-mails.ts';

/** After draining, a graceful stop takes at most this long: requests and attempts in flight finish, nothing is lost. */
const STOP_LIMIT_MS = 15_000;

/** Length of the accept queue; beyond it, the system drops connections and clients retry after seconds. */
const BACKLOG = 4096;

/** What finds out that someone has to be told. */
const mailTasks = [
  { name: 'mail about orders', run: mailAboutOrders, everyMs: 5 * SECOND },
  { name: 'mail about failing endpoints', run: mailAboutFailing, everyMs: MINUTE },
  { name: 'mail about expiring keys', run: mailAboutExpiry, everyMs: MINUTE },
];

export interface Running {
  url: string;
  /** Where to create the first owner; undefined once there is one. */
  setupUrl: string | undefined;
  stop(): Promise<void>;
}

/** Opens the database, applies migrations, and serves until the process is stopped. */
export async function startServing(config: Config, parts: { http: boolean; dispatch: boolean }): Promise<Running> {
  const log = pino({ ...logOptions, level: config.LOG_LEVEL });
  const db = openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    yieldToOthers: yieldToNewConnections,
  });
  const node = newNode(SCHEMA_VERSION, VERSION);
  const onProgress = (progress: object) => log.info(progress, 'migration in progress');
  try {
    const applied = await migrate(db, { node, onProgress });
    if (applied.length) log.info({ applied }, 'migrations applied');
    await requireDistributed(db);
    await checkSecretKeys(db, config.SECRET_KEY, Date.now());
  } catch (error) {
    await db.close();
    throw error;
  }
  if (config.WEBHOOK_ALLOW_INTERNAL)
    log.warn('WEBHOOK_ALLOW_INTERNAL is set: webhooks may go to internal addresses; never do this in production');

  const time = await serverTime(db, (aheadMs) =>
    log.warn(
      { aheadMs },
      "this machine's clock is ahead of the database server's, whose time is used instead: correct the clock",
    ),
  );
  const storeClocks = await watchStoreClocks(db, time.now, (aheadMs) =>
    log.warn(
      { aheadMs },
      "times of a store are ahead of this machine's clock, which is or was wrong: correct it; nothing else is needed",
    ),
  );
  const services = servicesFor(config, db, log, time.now);
  clockMetrics(services.registry, time, storeClocks.aheadMs);
  let stopping: Promise<void> | undefined;
  const app = parts.http ? await buildApp(services, () => stopping !== undefined) : undefined;
  const url = (await app?.listen({ port: config.PORT, host: config.HOST, backlog: BACKLOG })) ?? '';
  const observe = webhookMetrics(services);
  const dispatcher = parts.dispatch ? startDispatcher(services, { observe }) : undefined;
  const maintenance = parts.dispatch ? startTasks(services, maintenanceTasks()) : undefined;
  const mailer =
    parts.dispatch && config.SMTP_URL ? startMailer(services, { observe: mailMetrics(services) }) : undefined;
  const mailSources = mailer && startTasks(services, mailTasks, { firstMs: 0 });
  const stopSignal = new AbortController();
  const { signal } = stopSignal;
  const finishing = parts.http
    ? resumeAfterCopy(async () => {
        await resumeChanges(services);
        await finishErasures(services);
      }, signal).catch((err) => log.error({ err }, 'failed to finish a change'))
    : undefined;

  const statistics = parts.http
    ? keepStatistics(db, (err) => log.warn({ err }, 'failed to analyze tables'))
    : undefined;

  const stopServing = async () => {
    await sleep(config.DRAIN_TIME);
    // Let Node read requests that have already arrived, so that their connections are not closed as idle.
    await nextIteration();
    await app?.close();
  };
  const stop = () => {
    stopping ??= (async () => {
      stopSignal.abort();
      await Promise.all([
        app && stopServing(),
        dispatcher?.stop(),
        mailer?.stop(),
        maintenance?.stop(),
        mailSources?.stop(),
        finishing,
      ]);
      await statistics?.stop();
      time.stop();
      storeClocks.stop();
      await nodeHeartbeat.stop().catch((err) => log.warn({ err }, 'failed to remove this node from the list of nodes'));
      await db.close();
    })();
    return stopping;
  };
  const end = stopOnSignal(stop, config.DRAIN_TIME + STOP_LIMIT_MS, (reason) =>
    log.error({ reason }, 'stopped without finishing'),
  );
  const nodeHeartbeat = heartbeat(db, node, {
    // A node that lost its connection for a while counts as gone, and a breaking migration may have run meanwhile.
    onBeat: async () => refuseNewer(await schemaOf(db)),
    onError(err) {
      const isFinal = err instanceof SchemaTooNew || (err instanceof DatabaseMoving && err.movedTo);
      if (!isFinal) return log.warn({ err }, 'heartbeat failed');
      log.fatal(err.message);
      end(1);
    },
  });
  const setupUrl = app && !(await hasOwners(db)) ? `${config.PUBLIC_URL ?? url}${setupPath(services)}` : undefined;
  return { url, setupUrl, stop };
}

/** Starts work again that was interrupted because the database is being copied. */
async function resumeAfterCopy(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseMoving) || error.movedTo || signal.aborted) throw error;
      await sleep(SECOND, undefined, { signal }).catch(() => {});
    }
}

function stopOnSignal(stop: () => Promise<void>, limitMs: number, onLate: (reason: string) => void) {
  const end = (code: number) => {
    setTimeout(() => {
      onLate(`not done within ${limitMs} ms`);
      process.exit(1);
    }, limitMs).unref();
    stop().then(
      () => process.exit(code),
      (error) => {
        onLate(String(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  return end;
}
