import { rights as allRights } from '@store-sales/contract';
import { pino } from 'pino';
import { createOwner } from '../src/accounts/owners.ts';
import { createStore } from '../src/accounts/stores.ts';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Database, Queryable } from '../src/db/database.ts';
import { SEARCH_LIMIT } from '../src/db/lists/list.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import type { PostgresOptions } from '../src/db/postgres/open-postgres.ts';
import { createKey } from '../src/keys/keys.ts';
import { logOptions } from '../src/keys/log-options.ts';
import { servicesFor } from '../src/services.ts';
import { DAY } from '../src/time/duration.ts';
import { eventsSince } from '../src/webhooks/events/prune.ts';
import { cleanUpAfter } from './cleanup.ts';
import { migratedDatabase, type TestDatabase } from './database.ts';
import { checkResponse } from './openapi-check.ts';
import { expectSound } from './sound.ts';

export interface Reply<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

interface Sending {
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  rawBody?: string | Buffer;
}

/** Hooks between two statements or transactions of a request, to simulate writers of another process. */
export interface Reads {
  after?: (() => Promise<void>) | undefined;
  beforeTransaction?: (() => Promise<void>) | undefined;
}

function observed(db: Database, reads: Reads): Database {
  const observe = (queryable: Queryable) => ({
    async all<Row>(...query: Parameters<Queryable['all']>) {
      const found = await queryable.all<Row>(...query);
      await reads.after?.();
      return found;
    },
    async one<Row>(...query: Parameters<Queryable['one']>) {
      const found = await queryable.one<Row>(...query);
      await reads.after?.();
      return found;
    },
  });
  const fastReads = { dialect: db.dialect, run: db.fastReads.run.bind(db.fastReads), ...observe(db.fastReads) };
  const transaction: Database['transaction'] = async (...call) => {
    await reads.beforeTransaction?.();
    return db.transaction(...call);
  };
  const write: Database['write'] = async (...call) => {
    await reads.beforeTransaction?.();
    return db.write(...call);
  };
  return { ...db, ...observe(db), fastReads, transaction, write };
}

let serial = 0;

/**
 * The service on a real database and a real port, with a simulated clock. Every response of the API is checked against
 * the OpenAPI document.
 */
export async function startService(
  options: {
    env?: Record<string, string>;
    database?: TestDatabase;
    searchLimit?: number;
    limits?: PostgresOptions['limits'];
    reads?: Reads;
    /** The tests leave data behind that breaks a promise: what, and why. */
    damages?: string;
  } = {},
) {
  const database = options.database ?? (await migratedDatabase());
  const config = readConfig({
    PORT: '0',
    SECRET_KEY: 'a secret of the tests: 32 characters',
    DATA_DIR: database.DATA_DIR,
    DATABASE_URL: database.DATABASE_URL,
    // It writes when it likes, and a test that counts transactions would count those.
    ...(options.reads && { REQUEST_LOG_DAYS: '0' }),
    RATE_LIMIT_PER_MINUTE: '0',
    ...options.env,
  });
  const db = openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    limits: options.limits,
  });
  await migrate(db);
  const clock = { now: Date.parse('2026-09-27T10:00:00.000Z') };
  const lines: string[] = [];
  const log = pino({ ...logOptions, level: 'info' }, { write: (line: string) => void lines.push(line) });
  const services = {
    ...servicesFor(config, options.reads ? observed(db, options.reads) : db, log, () => clock.now),
    searchLimit: options.searchLimit ?? SEARCH_LIMIT,
  };
  const app = await buildApp(services);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  async function send(
    method: string,
    path: string,
    { key, headers = {}, body, rawBody }: Sending = {},
  ): Promise<Reply> {
    const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content as string }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    const parsed = isJson && text ? JSON.parse(text) : undefined;
    if (method !== 'HEAD') checkResponse(method, path, response.status, response.headers, parsed);
    return { status: response.status, headers: response.headers, body: parsed, text };
  }

  const stop = async () => {
    await app.close();
    database.isChecked = true;
    if (!options.damages)
      await expectSound(db, clock.now - config.WEBHOOK_LOG_DAYS * DAY, eventsSince(config, clock.now));
    await db.close();
    if (!options.database) await database.drop();
  };
  cleanUpAfter(stop);

  const service = {
    url,
    db,
    app,
    clock,
    services,
    config,
    /** The log, one JSON text per line. */
    lines,
    send,
    get: (path: string, key?: string, headers?: Record<string, string>) =>
      send('GET', path, { key, ...(headers && { headers }) }),
    post: (path: string, body: unknown, key?: string, headers?: Record<string, string>) =>
      send('POST', path, { key, body, ...(headers && { headers }) }),
    patch: (path: string, body: unknown, key?: string, headers?: Record<string, string>) =>
      send('PATCH', path, { key, body, ...(headers && { headers }) }),

    owner: () =>
      createOwner(db, { email: `owner${++serial}@example.test`, name: 'Owner', password: 'correct horse' }, clock.now),
    async store(details: { ownerId?: string; plan?: string; currency?: string } = {}) {
      const ownerId = details.ownerId ?? (await service.owner()).id;
      return createStore(db, { name: `Store ${++serial}`, plan: 'optimal', ...details, ownerId }, clock.now);
    },
    /** A key, with all rights by default. */
    async key(storeId: string, rights: readonly string[] = Object.keys(allRights), life?: number) {
      return (await createKey(db, { storeId, name: 'Test key', rights, life }, clock.now)).secret;
    },
    /** A store on the Optimal plan and a key with all rights. */
    async shop(details: { ownerId?: string; currency?: string } = {}) {
      const store = await service.store(details);
      return { store, storeId: store.id, ownerId: store.owner_id, key: await service.key(store.id) };
    },
  };
  return service;
}

export type Service = Awaited<ReturnType<typeof startService>>;
