import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { SCHEMA_VERSION, schemaOf } from '../db/migrate.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** However many others wait. */
    isAlwaysAnswered?: boolean;
  }
}

const always = { config: { isAlwaysAnswered: true } };

/** `/healthz`: the process lives. `/readyz`: it can serve. `/metrics`: how it does. */
export function healthRoutes(
  app: FastifyInstance,
  { db, config }: Services,
  { registry }: Metrics,
  isDraining: () => boolean,
) {
  app.get('/healthz', always, async () => ({ status: 'ok' }));

  app.get('/readyz', always, async () => {
    if (isDraining()) throw new Refusal('unavailable', 'The process is about to stop.');
    const { version, lowest } = await schemaOf(db);
    if (version < SCHEMA_VERSION)
      throw new Refusal('unavailable', `The schema is at version ${version}, the program needs ${SCHEMA_VERSION}.`);
    if (lowest > SCHEMA_VERSION)
      throw new Refusal(
        'unavailable',
        `The schema is at version ${version} and needs a program of version ${lowest} or later; this one has ${SCHEMA_VERSION}.`,
      );
    return { status: 'ready' };
  });

  app.get('/metrics', always, async (request, reply) => {
    if (config.METRICS_TOKEN) {
      if (!same(request.headers.authorization ?? '', `Bearer ${config.METRICS_TOKEN}`))
        throw new Refusal('invalid_key', 'Send the METRICS_TOKEN as a bearer token.');
    } else if (!isLocal(request))
      throw new Refusal(
        'missing_key',
        'Metrics are served to this machine only; set METRICS_TOKEN to read them from elsewhere.',
      );
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** From this machine, and not through a proxy on it. */
const isLocal = ({ socket, headers }: FastifyRequest) =>
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined &&
  ipaddr.process(socket.remoteAddress ?? '::').range() === 'loopback';

const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();
