import { verify } from '@store-sales/contract/signature';
import type { OrderEvent, PingEvent } from './contract.generated.ts';
import { type SeenEvents, SeenInMemory } from './seen.ts';

export type WebhookEvent = OrderEvent | PingEvent;

export interface ReceiverOptions {
  /** The whole signing secret, `whsec_…`; several during a rotation. */
  secret: string | readonly string[];
  /**
   * Handles an event. The service waits 10 seconds for the response. If it throws, the response is 500 and the service
   * retries later. Events of one order are handled sequentially.
   */
  onEvent(event: WebhookEvent, delivery: { id: string }): unknown;
  /** Stores the ids of handled events. Default: in memory. */
  seen?: SeenEvents | undefined;
  /** Maximum difference of the timestamp in seconds, in either direction. Default 300. */
  tolerance?: number | undefined;
  /** Called for every request that is not handled. Default: `console.error`. */
  onError?: ((error: unknown, event?: WebhookEvent) => void) | undefined;
  /** The current time in milliseconds. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** The response to send. */
export interface Outcome {
  status: 200 | 400 | 405 | 413 | 500;
  text: string;
}

/** The raw body of a request and two of its headers. */
export interface Incoming {
  rawBody: string | Uint8Array;
  signature: string | undefined;
  delivery: string | undefined;
}

export const rejection = (status: Outcome['status'], text: string): Outcome => ({ status, text });

/** Verifies requests, skips duplicates and calls `onEvent`. */
export function receiver({ secret, onEvent, tolerance, now, ...options }: ReceiverOptions) {
  const secrets = [secret].flat();
  if (!secrets.length || !secrets.every(Boolean))
    throw new TypeError('secret is missing; the console shows it once, when the webhook is created.');
  const seen = options.seen ?? new SeenInMemory();
  const onError = options.onError ?? ((error) => console.error('webhook:', error));
  const serialize = serializeByKey();

  async function handle(event: WebhookEvent, delivery: string): Promise<Outcome> {
    try {
      if (await seen.seen(event.id)) return { status: 200, text: 'already handled' };
      await onEvent(event, { id: delivery });
      await seen.remember(event.id);
      return { status: 200, text: 'handled' };
    } catch (error) {
      onError(error, event);
      return rejection(500, 'The handler failed; retry later.');
    }
  }

  async function receive({ rawBody, signature, delivery = '' }: Incoming): Promise<Outcome> {
    const verified = await verify(rawBody, signature, secrets, {
      ...(tolerance !== undefined && { tolerance }),
      ...(now && { now: now() }),
    });
    const event = verified.ok ? parse(rawBody) : undefined;
    if (event) return serialize(orderIdOf(event), () => handle(event, delivery));
    const reason = verified.ok ? 'The body is not an event.' : verified.message;
    onError(new Error(reason));
    return rejection(400, reason);
  }

  return { receive, onError };
}

const orderIdOf = (event: WebhookEvent) => (event.type === 'ping' ? event.id : event.data.orderId);

function parse(rawBody: string | Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
    return typeof event?.id === 'string' && typeof event.type === 'string' && event.data ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Runs tasks with the same key one after another, so that an older read cannot overwrite a newer one. */
function serializeByKey() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const result = (last.get(key) ?? Promise.resolve()).then(task);
    last.set(key, result);
    return result.finally(() => {
      if (last.get(key) === result) last.delete(key);
    });
  };
}
