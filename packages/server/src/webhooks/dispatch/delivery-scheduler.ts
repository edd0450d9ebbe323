/**
 * Decides how many deliveries are claimed and which attempt starts next. Attempts in flight are limited in all, per
 * store and per endpoint. Stores take turns, and within a store its endpoints do, however much each has waiting.
 */

/** In flight in all: a socket and a few KB each. */
const MAX_IN_FLIGHT = 256;
/** For an endpoint that responds fast: enough to keep its connections busy. */
const MAX_PER_ENDPOINT = 32;
/** For an endpoint that is not known yet: a quick start, and little to lose when it hangs. */
const INITIAL_PER_ENDPOINT = 4;
/** For an endpoint that fails or hangs: enough to notice when it recovers. */
const MIN_PER_ENDPOINT = 2;
/** An attempt that takes longer makes its endpoint a slow one. */
const SLOW_MS = 1000;
/**
 * An endpoint that has proved fast is claimed for up to this many times its limit: its connections stay busy while the
 * database works, and each transaction claims and settles more …
 */
const AHEAD = 32;
/** … but no more than is sent in about this time. */
const AHEAD_MS = 500;
/** Stores and endpoints whose last turn is known; others count as never served. */
const MAX_TURNS = 10_000;

export interface Contender {
  store_id: string;
  id: string;
  consecutive_failures: number;
}

/** How many deliveries of an endpoint to claim. */
export interface Turn<Endpoint> {
  endpoint: Endpoint;
  take: number;
}

interface Usage {
  /** Claimed and not finished: waiting or in flight. */
  held: number;
  inFlight: number;
}

interface StoreState extends Usage {
  /** The part of its slow endpoints. */
  slow: Usage;
  /** Its endpoints with claims that wait, the next to start first. */
  waiting: Set<string>;
}

interface EndpointState<Claim> extends Usage {
  id: string;
  storeId: string;
  limit: number;
  isSlow: boolean;
  /** How long the last attempt took. */
  lastMs: number;
  waiting: Claim[];
}

function addTo(sum: Usage, { held, inFlight }: Usage, sign: 1 | -1) {
  sum.held += sign * held;
  sum.inFlight += sign * inFlight;
}

export function turns<Claim extends { endpoint: Contender }>(maxInFlight = MAX_IN_FLIGHT) {
  const endpoints = new Map<string, EndpointState<Claim>>();
  const stores = new Map<string, StoreState>();
  /** Stores with claims that wait, the next to start first. */
  const waiting = new Set<string>();
  const all: Usage = { held: 0, inFlight: 0 };
  const slow: Usage = { held: 0, inFlight: 0 };
  const maxHeld = maxInFlight * AHEAD;
  /** Slow endpoints share one half; the other half is always there for those that respond. */
  const maxSlow = Math.max(1, Math.floor(maxInFlight / 2));
  /** When a store or an endpoint was last claimed for, least recent first. */
  const served = new Map<string, number>();
  let turn = 0;

  function endpointOf({ id, store_id, consecutive_failures: failures }: Contender): EndpointState<Claim> {
    const known = endpoints.get(id);
    if (known) return known;
    // One that failed before this process started begins among the slow.
    const limit = failures ? MIN_PER_ENDPOINT : INITIAL_PER_ENDPOINT;
    return { id, storeId: store_id, held: 0, inFlight: 0, limit, isSlow: failures > 0, lastMs: 0, waiting: [] };
  }

  function storeOf(id: string): StoreState {
    return stores.get(id) ?? { held: 0, inFlight: 0, slow: { held: 0, inFlight: 0 }, waiting: new Set() };
  }

  /** Changes an endpoint and keeps the sums over its store and over all in step. */
  function change(
    endpoint: EndpointState<Claim>,
    { held = 0, inFlight = 0, limit = endpoint.limit, isSlow = endpoint.isSlow },
  ) {
    const store = storeOf(endpoint.storeId);
    addUsage(endpoint, store, -1);
    endpoint.held += held;
    endpoint.inFlight += inFlight;
    endpoint.limit = limit;
    endpoint.isSlow = isSlow;
    addUsage(endpoint, store, 1);
    // One without claims that is like a new one need not be kept.
    if (endpoint.held === 0 && limit <= INITIAL_PER_ENDPOINT && !isSlow) endpoints.delete(endpoint.id);
    else endpoints.set(endpoint.id, endpoint);
    if (store.held === 0) stores.delete(endpoint.storeId);
    else stores.set(endpoint.storeId, store);
  }

  function addUsage(endpoint: EndpointState<Claim>, store: StoreState, sign: 1 | -1) {
    addTo(all, endpoint, sign);
    addTo(store, endpoint, sign);
    if (!endpoint.isSlow) return;
    addTo(slow, endpoint, sign);
    addTo(store.slow, endpoint, sign);
  }

  /** How many claims of an endpoint may be held. */
  function maxHeldOf({ limit, isSlow, lastMs }: EndpointState<Claim>): number {
    if (limit <= INITIAL_PER_ENDPOINT || isSlow) return limit;
    return limit * Math.min(AHEAD, Math.max(1, Math.floor(AHEAD_MS / Math.max(1, lastMs))));
  }

  /**
   * A store may use as much as is left free: one alone half of all, two a third each, and so on. So a store that has
   * nothing in flight finds room at once, whatever the others do.
   */
  const hasRoom = (store: StoreState) => store.inFlight < maxInFlight - all.inFlight;
  const hasSlowRoom = (store: StoreState) => store.slow.inFlight < maxSlow - slow.inFlight;

  function mayStart(endpoint: EndpointState<Claim>, store: StoreState): boolean {
    return endpoint.inFlight < endpoint.limit && (!endpoint.isSlow || hasSlowRoom(store));
  }

  /** The endpoint whose turn it is to start an attempt. */
  function nextEndpoint(): EndpointState<Claim> | undefined {
    if (all.inFlight >= maxInFlight) return undefined;
    for (const storeId of waiting) {
      const store = storeOf(storeId);
      if (!hasRoom(store)) continue;
      for (const id of store.waiting) {
        const endpoint = endpoints.get(id);
        if (endpoint && mayStart(endpoint, store)) return endpoint;
      }
    }
    return undefined;
  }

  function enqueue(endpoint: EndpointState<Claim>) {
    if (!endpoint.waiting.length) return;
    storeOf(endpoint.storeId).waiting.add(endpoint.id);
    waiting.add(endpoint.storeId);
  }

  function dequeue({ id, storeId }: EndpointState<Claim>) {
    const store = storeOf(storeId);
    store.waiting.delete(id);
    if (!store.waiting.size) waiting.delete(storeId);
  }

  /** Notes a turn of a store and one of its endpoints. */
  function serve(storeId: string, endpointId: string) {
    // Claims come in runs of one endpoint.
    if (served.get(endpointId) === turn) return;
    turn++;
    for (const id of [storeId, endpointId]) {
      served.delete(id);
      served.set(id, turn);
    }
    for (const id of served.keys()) {
      if (served.size <= MAX_TURNS) break;
      served.delete(id);
    }
  }

  /** Those that waited longest for their turn first. */
  const byTurn = <Item>(items: Iterable<Item>, idOf: (item: Item) => string): Item[] =>
    [...items].sort((a, b) => {
      const [idA, idB] = [idOf(a), idOf(b)];
      return (served.get(idA) ?? 0) - (served.get(idB) ?? 0) || (idA < idB ? -1 : 1);
    });

  return {
    /** Shares out what may be claimed: an equal part for each store and each of its endpoints, then what is left. */
    pick<Endpoint extends Contender>(due: readonly Endpoint[]): Turn<Endpoint>[] {
      const byStore = new Map<string, Endpoint[]>();
      for (const endpoint of due) {
        const list = byStore.get(endpoint.store_id);
        if (list) list.push(endpoint);
        else byStore.set(endpoint.store_id, [endpoint]);
      }
      const candidates = byTurn(byStore, ([id]) => id).map(([id, list]) => {
        const { held, slow } = storeOf(id);
        const endpoints = byTurn(list, (endpoint) => endpoint.id);
        return { held, slowHeld: slow.held, endpoints: endpoints.map((endpoint) => ({ endpoint, take: 0 })) };
      });
      let free = maxHeld - all.held;
      let slowFree = maxSlow - slow.held;
      const storeShare = free / Math.max(1, candidates.length);
      for (const isFirstPass of [true, false]) {
        for (const store of candidates) {
          const share = isFirstPass ? Math.max(1, Math.floor(storeShare / store.endpoints.length)) : free;
          for (const candidate of store.endpoints) {
            const state = endpointOf(candidate.endpoint);
            // As with starts, a store takes no more than it leaves free.
            let room = Math.ceil((free - store.held) / 2);
            if (state.isSlow) room = Math.min(room, Math.ceil((slowFree - store.slowHeld) / 2));
            const take = Math.max(0, Math.min(share, room, maxHeldOf(state) - state.held - candidate.take));
            candidate.take += take;
            store.held += take;
            free -= take;
            if (state.isSlow) {
              store.slowHeld += take;
              slowFree -= take;
            }
          }
        }
      }
      return candidates.flatMap(({ endpoints }) => endpoints.filter(({ take }) => take > 0));
    },

    /** A delivery was claimed and waits for its start. */
    add(claim: Claim) {
      const endpoint = endpointOf(claim.endpoint);
      change(endpoint, { held: 1 });
      endpoint.waiting.push(claim);
      enqueue(endpoint);
      serve(endpoint.storeId, endpoint.id);
    },

    /** The claim that starts next, now in flight; undefined when none may start. */
    next(): Claim | undefined {
      const endpoint = nextEndpoint();
      const claim = endpoint?.waiting.shift();
      if (!endpoint || !claim) return undefined;
      const { storeId } = endpoint;
      // Both go to the end of their line.
      dequeue(endpoint);
      waiting.delete(storeId);
      enqueue(endpoint);
      if (storeOf(storeId).waiting.size) waiting.add(storeId);
      change(endpoint, { inFlight: 1 });
      return claim;
    },

    /** An attempt that `next` gave has ended. */
    ended({ endpoint: { id } }: Claim, isSuccess: boolean, durationMs: number) {
      const endpoint = endpoints.get(id);
      if (!endpoint) return;
      const isSlow = durationMs > SLOW_MS;
      const limit =
        isSuccess && !isSlow
          ? Math.min(MAX_PER_ENDPOINT, endpoint.limit + 1)
          : Math.max(MIN_PER_ENDPOINT, endpoint.limit >> 1);
      endpoint.lastMs = durationMs;
      change(endpoint, { held: -1, inFlight: -1, limit, isSlow });
    },

    /** What `next` gave is not sent. */
    dropped({ endpoint: { id } }: Claim) {
      const endpoint = endpoints.get(id);
      if (endpoint) change(endpoint, { held: -1, inFlight: -1 });
    },

    /** What `next` gave is not sent yet; it waits again, before the others of its endpoint. */
    putBack(claim: Claim) {
      const endpoint = endpoints.get(claim.endpoint.id);
      if (!endpoint) return;
      change(endpoint, { inFlight: -1 });
      endpoint.waiting.unshift(claim);
      enqueue(endpoint);
    },

    /** The claims that wait and match, which wait no longer. Of their endpoints less is claimed until they respond. */
    takeBack(isWanted: (claim: Claim) => boolean): Claim[] {
      const found: Claim[] = [];
      for (const storeId of [...waiting])
        for (const id of [...storeOf(storeId).waiting]) {
          const endpoint = endpoints.get(id);
          const claims = endpoint?.waiting.filter(isWanted) ?? [];
          if (!endpoint || !claims.length) continue;
          endpoint.lastMs = Math.max(endpoint.lastMs, AHEAD_MS);
          endpoint.waiting = endpoint.waiting.filter((claim) => !isWanted(claim));
          if (!endpoint.waiting.length) dequeue(endpoint);
          change(endpoint, { held: -claims.length });
          found.push(...claims);
        }
      return found;
    },

    /** Whether claims wait that may not start before an attempt ends. */
    isSaturated: () => waiting.size > 0 && !nextEndpoint(),
  };
}
