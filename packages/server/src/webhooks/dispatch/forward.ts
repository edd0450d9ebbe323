import { setTimeout as sleep } from 'node:timers/promises';
import type { EventQuery, OrderEvent } from '@store-sales/contract';
import { uuid } from '../../db/uuid.ts';
import { DomainError } from '../../domain-error.ts';
import type { AttemptResponse } from './exchange.ts';
import { sender } from './send.ts';

/** Also between two tries of a service that is unavailable. */
const POLL_MS = 500;
const PAGE_SIZE = 100;

export interface EventPage {
  data: OrderEvent[];
  page: { nextCursor: string | null; syncCursor?: string };
}

/** Reads a page of the events of a store, here or from a service elsewhere, which may be `unavailable`. */
export type ReadEvents = (query: EventQuery) => Promise<EventPage>;

export interface Forwarded extends Pick<AttemptResponse, 'responseStatus' | 'error' | 'durationMs'> {
  event: OrderEvent;
}

export interface ForwardOptions {
  url: string;
  secret: string;
  timeoutMs: number;
  /** Called when every event from now on will be forwarded. */
  onReady(): void;
  onForwarded(forwarded: Forwarded): void;
  /** Called before a read is repeated. */
  onUnavailable(error: DomainError): void;
  signal: AbortSignal;
}

/**
 * For development: sends the events of a store to a receiver, one after the other and without retries, until it is
 * aborted. Internal addresses are allowed: the receiver is on the developer's machine.
 */
export async function forwardEvents(
  read: ReadEvents,
  { url, secret, timeoutMs, onReady, onForwarded, onUnavailable, signal }: ForwardOptions,
) {
  const { send, close } = sender({ timeoutMs, allowInternal: true });
  try {
    const follow = await startAtEnd(read);
    onReady();
    while (!signal.aborted) {
      const { data, page } = await follow().catch((error) => {
        if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error;
        onUnavailable(error);
        return NONE;
      });
      for (const event of data) {
        if (signal.aborted) return;
        const now = Date.now();
        const message = { url, secrets: [secret], type: event.type, deliveryId: uuid(now), eventId: event.id };
        const { responseStatus, error, durationMs } = await send({ ...message, body: JSON.stringify(event) }, now);
        onForwarded({ event, responseStatus, error, durationMs });
      }
      if (!page.nextCursor) await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await close();
  }
}

const NONE: EventPage = { data: [], page: { nextCursor: null } };

/** Reads past the events that exist; the function it returns reads the next page after them. */
async function startAtEnd(read: ReadEvents): Promise<() => Promise<EventPage>> {
  const [newest] = (await read({ limit: 1 })).data;
  const query: EventQuery = {
    order: 'createdAt:asc',
    limit: PAGE_SIZE,
    ...(newest && { 'filter[createdAt][from]': newest.createdAt }),
  };
  let cursor: string | undefined;
  const next = async () => {
    const found = await read({ ...query, ...(cursor !== undefined && { cursor }) });
    cursor = found.page.syncCursor;
    return found;
  };
  while ((await next()).page.nextCursor);
  return next;
}
