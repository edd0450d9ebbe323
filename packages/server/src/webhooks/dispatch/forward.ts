import { setTimeout as sleep } from 'node:timers/promises';
import { firstUuidAt, uuid } from '../../db/uuid.ts';
import type { Services } from '../../services.ts';
import { bodyOf } from '../outbox/body.ts';
import type { AttemptResponse } from './exchange.ts';
import { eventsAfter } from './forward.queries.ts';
import { sender } from './send.ts';

const POLL_MS = 500;
const PAGE_SIZE = 100;

export interface Forwarded extends Pick<AttemptResponse, 'responseStatus' | 'error' | 'durationMs'> {
  eventId: string;
  type: string;
  orderId: string | null;
}

export interface ForwardOptions {
  /** Events before this instant are not sent. */
  since: number;
  url: string;
  secret: string;
  onForwarded(forwarded: Forwarded): void;
  signal: AbortSignal;
}

/**
 * For development: sends the events of a store to a receiver, one after the other and without retries,
 * until it is aborted. Internal addresses are allowed: the receiver is on the developer's machine.
 */
export async function forwardEvents(
  { db, now, config }: Services,
  storeId: string,
  { since, url, secret, onForwarded, signal }: ForwardOptions,
) {
  const { send, close } = sender({ timeoutMs: config.WEBHOOK_TIMEOUT, allowInternal: true });
  let last = firstUuidAt(since);
  try {
    while (!signal.aborted) {
      const events = await eventsAfter(db, storeId, last, PAGE_SIZE);
      for (const event of events) {
        if (signal.aborted) return;
        const { event_id: eventId, type, order_id: orderId } = event;
        const message = { url, secrets: [secret], type, deliveryId: uuid(now()), eventId, body: bodyOf(event) };
        const { responseStatus, error, durationMs } = await send(message, now());
        last = eventId;
        onForwarded({ eventId, type, orderId, responseStatus, error, durationMs });
      }
      if (events.length < PAGE_SIZE) await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await close();
  }
}
