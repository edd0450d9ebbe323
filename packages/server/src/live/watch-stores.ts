import type { StoreChange } from '@store-sales/contract/console';
import { DomainError } from '../domain-error.ts';
import type { MemberCaller } from '../http/callers.ts';
import { EventStream } from '../http/event-stream.ts';
import { type LongWork, openResponses } from '../http/long-work.ts';
import type { Services } from '../services.ts';
import { type Clock, clocksOf } from './live.queries.ts';

const INTERVAL_MS = 1000;
/** After a failed query. */
const PAUSE_MS = 10_000;
const RECONNECT_MS = 2000;
/** A stream ends after this time. The browser reconnects, and everything about its access is checked again. */
const LIFETIME_MS = 50_000;
/** Open pages of one person in this process; those of a team are limited by the row. */
export const MAX_STREAMS = 30;

/** A person with an open page of a store. */
type Watcher = Pick<MemberCaller, 'session' | 'store'>;

interface Watched {
  latest: string;
  streams: Map<EventStream, Watcher>;
}

const changeOf = ({ seq, last_number: lastNumber }: Clock) => JSON.stringify({ seq, lastNumber } satisfies StoreChange);

/**
 * Tells open pages that their store has changed, whichever process changed it: reads the change numbers of the stores
 * that are watched here, in one statement for all of them, while any is. In the same interval it ends the streams of
 * people who were removed, signed out or given another role.
 */
export function watchStores(
  { db, log }: Pick<Services, 'db' | 'log'>,
  /** Those who still have access to their store. */
  withAccess: (watchers: readonly Watcher[]) => Promise<Set<Watcher>>,
) {
  const stores = new Map<string, Watched>();
  const ofPerson = openResponses(MAX_STREAMS);
  let isPolling = false;
  let isStopped = false;

  /** Before changes are read, so that nobody who was removed gets one that came later. */
  async function endWithoutAccess() {
    const open = [...stores.values()].flatMap(({ streams }) => [...streams]);
    const allowed = await withAccess(open.map(([, watcher]) => watcher));
    for (const [stream, watcher] of open) if (!allowed.has(watcher)) stream.end();
  }

  async function poll() {
    let delay = INTERVAL_MS;
    try {
      await endWithoutAccess();
      for (const clock of await clocksOf(db, [...stores.keys()])) {
        const change = changeOf(clock);
        const watched = stores.get(clock.store_id);
        if (!watched || watched.latest === change) continue;
        watched.latest = change;
        for (const stream of watched.streams.keys()) stream.send(change);
      }
    } catch (err) {
      log.warn({ err }, 'failed to read the change numbers of open stores');
      delay = PAUSE_MS;
    }
    isPolling = stores.size > 0 && !isStopped;
    if (isPolling) setTimeout(poll, delay).unref();
  }

  function close(storeId: string, stream: EventStream) {
    const watched = stores.get(storeId) as Watched;
    watched.streams.delete(stream);
    if (!watched.streams.size) stores.delete(storeId);
  }

  return {
    /** A stream that begins with the store's state and continues with each change. */
    async watch({ session, store }: Watcher, work: LongWork): Promise<EventStream> {
      const [storeId, accountId] = [store.id, session.account.id];
      const [clock] = await clocksOf(db, [storeId]);
      if (isStopped) throw new DomainError('unavailable', 'The process is stopping.');
      const remove = ofPerson.open(accountId);
      const stream = new EventStream(work, RECONNECT_MS);
      const now = changeOf(clock as Clock);
      const watched = stores.get(storeId) ?? { latest: now, streams: new Map() };
      stores.set(storeId, watched);
      watched.streams.set(stream, { session, store });
      const end = setTimeout(() => stream.end(), LIFETIME_MS).unref();
      stream.once('close', () => {
        clearTimeout(end);
        close(storeId, stream);
        remove();
      });
      // A newer change may have been sent to the other streams while this one was read.
      for (const change of new Set([now, watched.latest])) stream.send(change);
      if (!isPolling) {
        isPolling = true;
        setTimeout(poll, INTERVAL_MS).unref();
      }
      return stream;
    },

    /** Ends all streams: a stopping process does not wait for them. */
    stop() {
      isStopped = true;
      for (const { streams } of stores.values()) for (const stream of streams.keys()) stream.end();
    },
  };
}

export type StoreWatch = ReturnType<typeof watchStores>;
