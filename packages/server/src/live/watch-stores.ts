import type { StoreChange } from '@store-sales/contract/console';
import { DomainError } from '../domain-error.ts';
import { EventStream } from '../http/event-stream.ts';
import type { Services } from '../services.ts';
import type { StoreRow } from '../tenants.ts';
import { type Clock, clocksOf } from './live.queries.ts';

const INTERVAL_MS = 1000;
/** After a failed query. */
const PAUSE_MS = 10_000;
const RECONNECT_MS = 2000;
/** A stream ends after this time. The browser reconnects, and its session is checked again. */
const LIFETIME_MS = 50_000;
/** Open pages of one person in this process. */
export const MAX_STREAMS = 30;
/** Open pages of all members of one owner's stores in this process. */
export const MAX_TEAM_STREAMS = 150;

interface Watched {
  latest: string;
  streams: Set<EventStream>;
}

const changeOf = ({ seq, last_number: lastNumber }: Clock) => JSON.stringify({ seq, lastNumber } satisfies StoreChange);

/**
 * Tells open pages that their store has changed, whichever process changed it: reads the change numbers of the stores
 * that are watched here, in one statement for all of them, while any is.
 */
export function watchStores({ db, log }: Pick<Services, 'db' | 'log'>) {
  const stores = new Map<string, Watched>();
  const ofPerson = streamCounts(MAX_STREAMS);
  const ofTeam = streamCounts(MAX_TEAM_STREAMS);
  let isPolling = false;
  let isStopped = false;

  async function poll() {
    let delay = INTERVAL_MS;
    try {
      for (const clock of await clocksOf(db, [...stores.keys()])) {
        const change = changeOf(clock);
        const watched = stores.get(clock.store_id);
        if (!watched || watched.latest === change) continue;
        watched.latest = change;
        for (const stream of watched.streams) stream.send(change);
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
    async watch(store: Pick<StoreRow, 'id' | 'owner_id'>, accountId: string): Promise<EventStream> {
      const storeId = store.id;
      const [clock] = await clocksOf(db, [storeId]);
      if (!ofPerson.hasRoom(accountId) || !ofTeam.hasRoom(store.owner_id))
        throw new DomainError('rate_limited', 'You or your team have too many pages open. Close some of them.', [], 60);
      if (isStopped) throw new DomainError('unavailable', 'The process is stopping.');
      const removals = [ofPerson.add(accountId), ofTeam.add(store.owner_id)];
      const stream = new EventStream(RECONNECT_MS);
      const now = changeOf(clock as Clock);
      const watched = stores.get(storeId) ?? { latest: now, streams: new Set() };
      stores.set(storeId, watched);
      watched.streams.add(stream);
      const end = setTimeout(() => stream.end(), LIFETIME_MS).unref();
      stream.once('close', () => {
        clearTimeout(end);
        close(storeId, stream);
        for (const remove of removals) remove();
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
      for (const { streams } of stores.values()) for (const stream of streams) stream.end();
    },
  };
}

function streamCounts(max: number) {
  const counts = new Map<string, number>();
  const countOf = (id: string) => counts.get(id) ?? 0;
  return {
    hasRoom: (id: string) => countOf(id) < max,
    /** Returns what undoes it. */
    add(id: string) {
      counts.set(id, countOf(id) + 1);
      return () => {
        if (countOf(id) > 1) counts.set(id, countOf(id) - 1);
        else counts.delete(id);
      };
    },
  };
}

export type StoreWatch = ReturnType<typeof watchStores>;
