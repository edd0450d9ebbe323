import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { eventHeaders, standardHeaders } from '@store-sales/contract';
import type undici from 'undici';
import { VERSION } from '../../paths.ts';
import { forbiddenReason } from '../address-guard/addresses.ts';
import { AddressNotAllowed, type GuardOptions, guardedLookup, literalAddressError } from '../address-guard/guard.ts';
import { nameResolver, type Resolve, withLocalNames } from '../address-guard/resolver.ts';
import { type AttemptResponse, Exchange } from './exchange.ts';
import { memoize } from './memoize.ts';

export interface Message {
  url: string;
  /** The valid signing secrets; the header has one signature for each. */
  secrets: readonly string[];
  type: string;
  deliveryId: string;
  eventId: string;
  body: string;
}

export interface SendOptions extends GuardOptions {
  /** For the whole exchange: DNS lookup, connection, TLS handshake, request and response. */
  timeoutMs: number;
  /** For tests: replaces the monotonic clock that measures the duration of attempts. */
  clock?: () => number;
  /** For tests: CA certificates to trust instead of the default ones. */
  ca?: string;
}

export interface Sender {
  send(message: Message, now: number): Promise<AttemptResponse>;
  close(): Promise<void>;
}

/** Shorter than the attempt, so that a failed lookup is reported as such and not as a timeout. */
const MAX_LOOKUP_MS = 5000;

/** Loaded with the first webhook: without it the service starts faster and uses less memory. */
const client = () => createRequire(import.meta.url)('undici') as typeof undici;

/** Sends webhooks over keep-alive connections. No other code opens outgoing connections. */
export function sender(options: SendOptions): Sender {
  const names = nameResolver({
    timeoutMs: Math.min(MAX_LOOKUP_MS, options.timeoutMs / 2),
    ...(options.nameServers && { nameServers: options.nameServers }),
  });
  const knowsLocal = options.allowInternal && !options.nameServers;
  const resolve = options.resolve ?? (knowsLocal ? withLocalNames(names.resolve) : names.resolve);
  let agent: undici.Agent | undefined;
  const openAgent = () =>
    new (client().Agent)({
      connect: guardedConnector(resolve, options),
      // No pipelining: a slow response would delay the requests behind it.
      pipelining: 1,
      // Exchange has its own timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  const partsOf = memoize(parts);

  return {
    send({ url, secrets, type, deliveryId, eventId, body }, now) {
      const exchange = new Exchange(options.timeoutMs, options.clock);
      try {
        const seconds = Math.floor(now / 1000);
        const { origin, path } = partsOf(url);
        agent ??= openAgent();
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
              [eventHeaders.signature]: signatureOf(secrets, seconds, body),
              [standardHeaders.id]: eventId,
              [standardHeaders.timestamp]: String(seconds),
              [standardHeaders.signature]: standardSignatureOf(secrets, `${eventId}.${seconds}.${body}`),
            },
            body,
          },
          exchange,
        );
      } catch (error) {
        exchange.onResponseError(undefined, error as Error);
      }
      return exchange.response;
    },
    async close() {
      names.close();
      await agent?.destroy();
    },
  };
}

function parts(url: string) {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

/**
 * Synchronous version of the contract's `signatureHeader`: WebCrypto signs on another thread, and the switch took a
 * fifth of the time of a delivery.
 */
function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const tags = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...tags.map((tag) => `v1=${tag}`)].join(',');
}

/** As Standard Webhooks has it: the key is what the secret encodes after its prefix. */
const standardSignatureOf = (secrets: readonly string[], content: string) =>
  secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`).join(' ');

/** Reads the URL-safe alphabet as well: secrets made before 2026-11 use it. */
const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Checks addresses where connections are opened, so that no request can bypass the check. */
function guardedConnector(resolve: Resolve, options: SendOptions): undici.buildConnector.connector {
  const connect = client().buildConnector({
    lookup: guardedLookup(resolve, options),
    timeout: options.timeoutMs,
    // A resumed TLS session would skip certificate validation.
    maxCachedSessions: 0,
    ...(options.ca && { ca: options.ca }),
  });
  return (target, callback) => {
    const error = literalAddressError(target.hostname, options);
    if (error) return callback(error, null);
    connect(target, (connectError, socket) => {
      if (connectError) return callback(connectError, null);
      // Defence in depth: does not depend on how undici and Node choose an address.
      const forbidden = options.allowInternal ? undefined : forbiddenReason(socket.remoteAddress ?? '');
      if (!forbidden) return callback(null, socket);
      socket.destroy();
      callback(new AddressNotAllowed(`the connection was made to ${forbidden}`), null);
    });
  };
}
