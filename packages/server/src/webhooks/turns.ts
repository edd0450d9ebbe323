/**
 * Who may send next. Attempts in flight are limited in all and for each endpoint, and due endpoints take turns,
 * whatever each has waiting.
 */

/** In flight in all: a socket and a few KB each. */
const TOTAL = 128;
/** For an endpoint that answers fast, as many as keep its connections busy; more gains nothing. */
const MOST = 32;
/** For one that we do not know yet: enough for a quick start, little enough to lose when it hangs. */
const FIRST = 4;
/** For one that fails or hangs: enough to notice when it recovers. */
const LEAST = 2;
/** Slower than this holds a place for long. */
const SLOW_MS = 1000;
/**
 * An endpoint that has proved fast is given up to so many times its places, to be sent as places fall free: its
 * connections stay busy while the database works, and each transaction takes and settles more …
 */
const AHEAD = 32;
/** … but no more than is sent in about this time, so that nothing waits in hand for as long as it is leased. */
const IN_HAND_MS = 500;

interface Place {
  /** Taken from the queue and not over yet. */
  held: number;
  /** Of these, being sent. */
  inFlight: number;
  limit: number;
  isSlow: boolean;
  /** How long the last attempt took. */
  lastMs: number;
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
  const slowShare = Math.floor(total / 2);
  const all = { held: 0, inFlight: 0 };
  const slow = { held: 0, inFlight: 0 };
  let last = '';

  function placeOf({ id, consecutive_failures: failures }: Contender): Place {
    // What is known from before this process began: an endpoint that was failing starts among the slow.
    return places.get(id) ?? { held: 0, inFlight: 0, limit: failures ? LEAST : FIRST, isSlow: failures > 0, lastMs: 0 };
  }

  /** How many of an endpoint's deliveries may be in hand. */
  function reachOf({ limit, isSlow, lastMs }: Place): number {
    if (limit <= FIRST || isSlow) return limit;
    return limit * Math.min(AHEAD, Math.max(1, Math.floor(IN_HAND_MS / Math.max(1, lastMs))));
  }

  /** Changes a place and keeps the sums in step: they are asked for at every start. */
  function change(id: string, place: Place, { held = 0, inFlight = 0, limit = place.limit, isSlow = place.isSlow }) {
    count(place, -1);
    place.held += held;
    place.inFlight += inFlight;
    place.limit = limit;
    place.isSlow = isSlow;
    count(place, 1);
    // One that is as good as unknown need not be remembered.
    if (place.held === 0 && place.limit <= FIRST && !place.isSlow) places.delete(id);
    else places.set(id, place);
  }

  function count(place: Place, sign: 1 | -1) {
    all.held += sign * place.held;
    all.inFlight += sign * place.inFlight;
    if (!place.isSlow) return;
    slow.held += sign * place.held;
    slow.inFlight += sign * place.inFlight;
  }

  return {
    /** Shares out what may be taken: everyone a little first, then more while there is room. */
    pick<Endpoint extends Contender>(due: readonly Endpoint[]): Turn<Endpoint>[] {
      const taken = new Map<Endpoint, number>();
      let free = total * AHEAD - all.held;
      // Slow endpoints share one half of the places: the other half is always there for those that answer.
      let slowFree = slowShare - slow.held;
      const fairShare = Math.max(1, Math.floor(free / Math.max(1, due.length)));
      for (const share of [fairShare, free]) {
        for (const endpoint of rotated(due, last)) {
          const place = placeOf(endpoint);
          const had = taken.get(endpoint) ?? 0;
          const take = Math.max(
            0,
            Math.min(share, reachOf(place) - place.held - had, place.isSlow ? slowFree : free, free),
          );
          free -= take;
          if (place.isSlow) slowFree -= take;
          if (take) taken.set(endpoint, had + take);
        }
      }
      return [...taken].map(([endpoint, take]) => ({ endpoint, take }));
    },

    /** A delivery was taken from the queue. */
    took(endpoint: Contender) {
      change(endpoint.id, placeOf(endpoint), { held: 1 });
      last = endpoint.id;
    },

    /** Whether one that was taken may be sent now. */
    mayStart(id: string): boolean {
      const place = places.get(id);
      if (!place || place.inFlight >= place.limit || all.inFlight >= total) return false;
      return !place.isSlow || slow.inFlight < slowShare;
    },

    started(id: string) {
      const place = places.get(id);
      if (place) change(id, place, { inFlight: 1 });
    },

    ended(id: string, isSuccess: boolean, durationMs: number) {
      const place = places.get(id);
      if (!place) return;
      const isSlow = durationMs > SLOW_MS;
      const limit = isSuccess && !isSlow ? Math.min(MOST, place.limit + 1) : Math.max(LEAST, place.limit >> 1);
      place.lastMs = durationMs;
      change(id, place, { held: -1, inFlight: -1, limit, isSlow });
    },

    /** One that was taken is given up without having been sent. */
    dropped(id: string) {
      const place = places.get(id);
      if (place) change(id, place, { held: -1 });
    },
  };
}

/** By id, starting behind the one that was served last. */
function rotated<Endpoint extends Contender>(due: readonly Endpoint[], last: string): Endpoint[] {
  const sorted = [...due].sort((a, b) => (a.id < b.id ? -1 : 1));
  const start = sorted.findIndex(({ id }) => id > last);
  return start < 0 ? sorted : [...sorted.slice(start), ...sorted.slice(0, start)];
}
