import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { SCHEMA_VERSION, schemaOf } from '../db/migrations/migrate.ts';
import { MOVED_VERSION } from '../db/sqlite/moving.ts';
import { DomainError } from '../domain-error.ts';
import type { Services } from '../services.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not limited by admission. */
    isAlwaysAdmitted?: boolean;
  }
}

const always = { config: { isAlwaysAdmitted: true } };

/** `/healthz`: the process is running. `/readyz`: it can serve. `/metrics`: Prometheus metrics. */
export function healthRoutes(
  app: FastifyInstance,
  { db, config }: Services,
  { registry }: Metrics,
  isDraining: () => boolean,
) {
  app.get('/healthz', always, async () => ({ status: 'ok' }));

  app.get('/readyz', always, async () => {
    if (isDraining()) throw new DomainError('unavailable', 'The process is stopping.');
    const { version, lowest } = await schemaOf(db);
    if (version < SCHEMA_VERSION)
      throw new DomainError(
        'unavailable',
        `The schema has version ${version}, but the program needs ${SCHEMA_VERSION}.`,
      );
    if (version === MOVED_VERSION)
      throw new DomainError('unavailable', 'This installation has moved to another database.');
    if (lowest > SCHEMA_VERSION)
      throw new DomainError(
        'unavailable',
        `The schema has version ${version} and needs a program with schema version ${lowest} or later; this one has ${SCHEMA_VERSION}.`,
      );
    return { status: 'ready' };
  });

  app.get('/metrics', always, async (request, reply) => {
    if (config.METRICS_TOKEN) {
      if (!same(request.headers.authorization ?? '', `Bearer ${config.METRICS_TOKEN}`))
        throw new DomainError('invalid_key', 'Send the METRICS_TOKEN as a bearer token.');
    } else if (!isLocal(request))
      throw new DomainError(
        'missing_key',
        'Metrics are served to this machine only; set METRICS_TOKEN to read them from another machine.',
      );
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** From this machine, but not through a local proxy. */
const isLocal = ({ socket, headers }: FastifyRequest) =>
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined &&
  ipaddr.process(socket.remoteAddress ?? '::').range() === 'loopback';

const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();
