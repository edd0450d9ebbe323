import { verify } from '@store-sales/contract/signature';
import type { OrderEvent, PingEvent } from './contract.generated.ts';
import { type SeenEvents, SeenInMemory } from './seen.ts';

export type WebhookEvent = OrderEvent | PingEvent;

export interface ReceiverOptions {
  /** The signing secret, `whsec_…`, whole. Several while one is being replaced. */
  secret: string | readonly string[];
  /**
   * Does the work, within the 10 seconds that the service waits. If it throws, the answer is 500 and the service
   * sends the event again later. Events of one order come one after the other, never side by side.
   */
  onEvent(event: WebhookEvent, delivery: { id: string }): unknown;
  /** Which events were handled already. In memory unless you give another. */
  seen?: SeenEvents | undefined;
  /** Seconds that the stamp may be off, either way. Default 300. */
  tolerance?: number | undefined;
  /** Told of everything that is not answered with 200. Default: `console.error`. */
  onError?: ((error: unknown, event?: WebhookEvent) => void) | undefined;
  /** The clock, in milliseconds. */
  now?: (() => number) | undefined;
}

/** What to answer. */
export interface Outcome {
  status: 200 | 400 | 405 | 413 | 500;
  text: string;
}

/** A request as it came: the body before any parsing, and two of its headers. */
export interface Incoming {
  rawBody: string | Uint8Array;
  signature: string | undefined;
  delivery: string | undefined;
}

export const refused = (status: Outcome['status'], text: string): Outcome => ({ status, text });

/** Checks a request, leaves out what was handled before, and runs the handler, whose failure becomes an outcome. */
export function receiver({ secret, onEvent, tolerance, now, ...options }: ReceiverOptions) {
  const secrets = [secret].flat();
  if (!secrets.length || !secrets.every(Boolean))
    throw new TypeError('secret is missing: the console shows it once, when the webhook is set up.');
  const seen = options.seen ?? new SeenInMemory();
  const onError = options.onError ?? ((error) => console.error('webhook:', error));
  const inTurn = turns();

  async function handle(event: WebhookEvent, delivery: string): Promise<Outcome> {
    try {
      if (await seen.seen(event.id)) return { status: 200, text: 'already handled' };
      await onEvent(event, { id: delivery });
      await seen.remember(event.id);
      return { status: 200, text: 'handled' };
    } catch (error) {
      onError(error, event);
      return refused(500, 'The handler failed; send it again later.');
    }
  }

  async function receive({ rawBody, signature, delivery = '' }: Incoming): Promise<Outcome> {
    const verified = await verify(rawBody, signature, secrets, {
      ...(tolerance !== undefined && { tolerance }),
      ...(now && { now: now() }),
    });
    const event = verified.ok ? parse(rawBody) : undefined;
    if (event) return inTurn(orderOf(event), () => handle(event, delivery));
    const reason = verified.ok ? 'The body is not an event.' : verified.message;
    onError(new Error(reason));
    return refused(400, reason);
  }

  return { receive, onError };
}

const orderOf = (event: WebhookEvent) => (event.type === 'ping' ? event.id : event.data.orderId);

function parse(rawBody: string | Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
    return typeof event?.id === 'string' && typeof event.type === 'string' && event.data ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the work under one name one after the other: a later event cannot be overtaken by the reads of an earlier. */
function turns() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    last.set(name, turn);
    return turn.finally(() => {
      if (last.get(name) === turn) last.delete(name);
    });
  };
}
