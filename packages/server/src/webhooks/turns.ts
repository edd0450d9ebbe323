/**
 * Who may send next. Attempts in flight are limited in all and for each endpoint, and due endpoints take turns,
 * whatever each has waiting.
 */

/** In flight in all: a socket and a few KB each. */
const TOTAL = 128;
/** For an endpoint that answers fast, as many as make its connections busy; more gains nothing. */
const MOST = 32;
/** For one that we do not know yet: enough for a quick start, little enough to lose when it hangs. */
const FIRST = 4;
/** For one that fails or hangs: enough to notice when it recovers. */
const LEAST = 2;
/** Slower than this holds a place for long. */
const SLOW_MS = 1000;

interface Place {
  inFlight: number;
  limit: number;
  isSlow: boolean;
}

export interface Contender {
  id: string;
  consecutive_failures: number;
}

export interface Turn<Endpoint> {
  endpoint: Endpoint;
  take: number;
}

export function turns(total = TOTAL) {
  const places = new Map<string, Place>();
  let inFlight = 0;
  let last = '';

  function placeOf({ id, consecutive_failures: failures }: Contender): Place {
    // What is known from before this process began: an endpoint that was failing starts among the slow.
    return places.get(id) ?? { inFlight: 0, limit: failures ? LEAST : FIRST, isSlow: failures > 0 };
  }

  /** Slow endpoints share one half of the places: the other half is always there for those that answer. */
  function roomForSlow() {
    let taken = 0;
    for (const place of places.values()) if (place.isSlow) taken += place.inFlight;
    return Math.floor(total / 2) - taken;
  }

  return {
    /** Shares out the free places: everyone a little first, then more while there is some. */
    pick<Endpoint extends Contender>(due: readonly Endpoint[]): Turn<Endpoint>[] {
      const inTurn = rotated(due, last);
      const taken = new Map<Endpoint, number>();
      let free = total - inFlight;
      let slowFree = roomForSlow();
      for (const share of [Math.max(1, Math.floor(free / Math.max(1, due.length))), total]) {
        for (const endpoint of inTurn) {
          const place = placeOf(endpoint);
          const had = taken.get(endpoint) ?? 0;
          const room = place.limit - place.inFlight - had;
          const take = Math.max(0, Math.min(share, room, free, place.isSlow ? slowFree : free));
          free -= take;
          if (place.isSlow) slowFree -= take;
          if (take) taken.set(endpoint, had + take);
        }
      }
      return [...taken].map(([endpoint, take]) => ({ endpoint, take }));
    },

    started(endpoint: Contender) {
      const place = placeOf(endpoint);
      places.set(endpoint.id, { ...place, inFlight: place.inFlight + 1 });
      inFlight++;
      last = endpoint.id;
    },

    ended(id: string, isSuccess: boolean, durationMs: number) {
      const place = places.get(id);
      if (!place) return;
      inFlight--;
      const isSlow = durationMs > SLOW_MS;
      const limit = isSuccess && !isSlow ? Math.min(MOST, place.limit + 1) : Math.max(LEAST, place.limit >> 1);
      // An endpoint that is as good as unknown need not be remembered.
      if (place.inFlight === 1 && limit <= FIRST && !isSlow) places.delete(id);
      else places.set(id, { inFlight: place.inFlight - 1, limit, isSlow });
    },
  };
}

/** By id, starting behind the one that was served last. */
function rotated<Endpoint extends Contender>(due: readonly Endpoint[], last: string): Endpoint[] {
  const sorted = [...due].sort((a, b) => (a.id < b.id ? -1 : 1));
  const start = sorted.findIndex(({ id }) => id > last);
  return start < 0 ? sorted : [...sorted.slice(start), ...sorted.slice(0, start)];
}
