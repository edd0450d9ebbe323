import { eventHeaders, signatureHeader } from '@store-sales/contract';
import { Agent, buildConnector } from 'undici';
import { VERSION } from '../version.ts';
import { addressFault } from './addresses.ts';
import { answerFailure, failureOf } from './failures.ts';
import { AddressNotAllowed, type GuardOptions, guardedLookup, literalFault } from './guard.ts';

export interface Message {
  url: string;
  /** The signing secrets in force; each signs. */
  secrets: readonly string[];
  type: string;
  deliveryId: string;
  body: string;
}

/** What came of an attempt. `error` is null for a 2xx and words for the owner otherwise. */
export interface Answer {
  responseStatus: number | null;
  error: string | null;
  responseBody: string;
  durationMs: number;
}

export interface SendOptions extends GuardOptions {
  /** For the whole exchange: name, connection, certificate, request and answer. */
  timeoutMs: number;
  /** Authorities to trust in place of the usual ones, for tests. */
  ca?: string;
}

export interface Sender {
  send(message: Message, now: number): Promise<Answer>;
  close(): Promise<void>;
}

const READ_LIMIT = 64 * 1024;
const KEEP_LIMIT = 4 * 1024;

/** The only place that opens connections to the outside. They are kept alive and used again. */
export function sender(options: SendOptions): Sender {
  const agent = new Agent({
    connect: guardedConnector(options),
    // No more than one request at a time on a connection: a slow answer holds up nothing behind it.
    pipelining: 1,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });

  function post({ url, type, deliveryId, body }: Message, signature: string, signal: AbortSignal) {
    const { origin, pathname, search } = new URL(url);
    return agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `store-sales/${VERSION}`,
        [eventHeaders.event]: type,
        [eventHeaders.delivery]: deliveryId,
        [eventHeaders.signature]: signature,
      },
      body,
      signal,
    });
  }

  return {
    async send(message, now) {
      const started = performance.now();
      const answer: Answer = { responseStatus: null, error: null, responseBody: '', durationMs: 0 };
      try {
        const signature = await signatureHeader(message.secrets, Math.floor(now / 1000), message.body);
        const response = await post(message, signature, AbortSignal.timeout(options.timeoutMs));
        answer.responseStatus = response.statusCode;
        answer.error = answerFailure(response.statusCode);
        answer.responseBody = await readStart(response.body);
      } catch (error) {
        // Also after a 2xx: an answer that never ends is not one within the time.
        answer.error = failureOf(error);
      }
      answer.durationMs = Math.round(performance.now() - started);
      return answer;
    },
    close: () => agent.destroy(),
  };
}

/** The guard sits where connections are made, so nothing can go around it. */
function guardedConnector(options: SendOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(options),
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

/** Reads at most 64 KiB and keeps the first 4 as text. Whoever sends more has answered all the same. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body) {
    if (read < KEEP_LIMIT) kept.push(chunk.subarray(0, KEEP_LIMIT - read));
    read += chunk.length;
    if (read >= READ_LIMIT) break;
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '');
}
