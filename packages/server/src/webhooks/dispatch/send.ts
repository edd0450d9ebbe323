import { createHmac } from 'node:crypto';
import { eventHeaders } from '@store-sales/contract';
import { Agent, buildConnector } from 'undici';
import { VERSION } from '../../paths.ts';
import { addressFault } from './addresses.ts';
import { type Answer, Exchange } from './exchange.ts';
import { AddressNotAllowed, type GuardOptions, guardedLookup, literalFault } from './guard.ts';
import { memoize } from './memoize.ts';
import { nameResolver, type Resolve, withLocalNames } from './resolver.ts';

export interface Message {
  url: string;
  /** The signing secrets in force; each signs. */
  secrets: readonly string[];
  type: string;
  deliveryId: string;
  body: string;
}

export interface SendOptions extends GuardOptions {
  /** For the whole exchange: name, connection, certificate, request and answer. */
  timeoutMs: number;
  /** For tests: authorities to trust in place of the usual ones. */
  ca?: string;
}

export interface Sender {
  send(message: Message, now: number): Promise<Answer>;
  close(): Promise<void>;
}

/** Ends before the attempt does, so that an attempt knows when it failed for want of an address. */
const MAX_LOOKUP_MS = 5000;

/** The only place that opens connections to the outside. They are kept alive and used again. */
export function sender(options: SendOptions): Sender {
  const names = nameResolver({
    timeoutMs: Math.min(MAX_LOOKUP_MS, options.timeoutMs / 2),
    ...(options.nameServers && { nameServers: options.nameServers }),
  });
  const knowsLocal = options.allowInternal && !options.nameServers;
  const resolve = options.resolve ?? (knowsLocal ? withLocalNames(names.resolve) : names.resolve);
  const agent = new Agent({
    connect: guardedConnector(resolve, options),
    // No more than one request at a time on a connection: a slow answer holds up nothing behind it.
    pipelining: 1,
    // The exchange has one time-out over all of it; more timers would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const partsOf = memoize(parts);

  return {
    send({ url, secrets, type, deliveryId, body }, now) {
      const exchange = new Exchange(options.timeoutMs);
      try {
        const { origin, path } = partsOf(url);
        agent.dispatch(
          {
            origin,
            path,
            method: 'POST',
            headers: {
              'Content-Type': 'application/json',
              'User-Agent': `store-sales/${VERSION}`,
              [eventHeaders.event]: type,
              [eventHeaders.delivery]: deliveryId,
              [eventHeaders.signature]: signatureOf(secrets, Math.floor(now / 1000), body),
            },
            body,
          },
          exchange,
        );
      } catch (error) {
        exchange.onResponseError(undefined, error as Error);
      }
      return exchange.answer;
    },
    close() {
      names.close();
      return agent.destroy();
    },
  };
}

function parts(url: string) {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

/**
 * The contract's `signatureHeader`, made at once: WebCrypto hands each signature to another thread and back, which
 * took a fifth of the time of a delivery.
 */
function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const tags = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...tags.map((tag) => `v1=${tag}`)].join(',');
}

/** The guard sits where connections are made, so nothing can go around it. */
function guardedConnector(resolve: Resolve, options: SendOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(resolve, options),
    timeout: options.timeoutMs,
    // A resumed session would skip the check of the certificate.
    maxCachedSessions: 0,
    ...(options.ca && { ca: options.ca }),
  });
  return (target, callback) => {
    const fault = literalFault(target.hostname, options);
    if (fault) return callback(fault, null);
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      // Never needed so far; it makes the promise independent of how the layers below choose an address.
      const reached = options.allowInternal ? undefined : addressFault(socket.remoteAddress ?? '');
      if (!reached) return callback(null, socket);
      socket.destroy();
      callback(new AddressNotAllowed(`the connection led to ${reached}`), null);
    });
  };
}
