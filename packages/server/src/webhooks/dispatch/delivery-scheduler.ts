/**
 * Decides how many deliveries are claimed and which attempt starts next. Attempts in flight are limited globally, per
 * store and per endpoint. Scheduling is round-robin over stores and, within a store, over its endpoints, regardless of
 * queue length.
 */

/** Global limit; each attempt in flight costs a socket and a few KB. */
const MAX_IN_FLIGHT = 256;
/** For an endpoint that responds fast: enough to keep its connections busy. */
const MAX_PER_ENDPOINT = 32;
/** For an endpoint without history: starts quickly, and wastes few slots if it hangs. */
const INITIAL_PER_ENDPOINT = 4;
/** For an endpoint that fails or times out: enough to notice when it recovers. */
const MIN_PER_ENDPOINT = 2;
/** An attempt that takes longer marks its endpoint as slow. */
const SLOW_MS = 1000;
/**
 * For a fast endpoint, up to this many times its in-flight limit is claimed: its connections stay busy during the
 * transaction, and each transaction claims and records more …
 */
const MAX_CLAIM_FACTOR = 32;
/** … but no more than can be sent in about this time. */
const MAX_CLAIM_AHEAD_MS = 500;
/** Stores and endpoints whose last service is remembered; others count as never served. */
const MAX_SERVED_ENTRIES = 10_000;

export interface SchedulableEndpoint {
  store_id: string;
  id: string;
  consecutive_failures: number;
}

/** How many deliveries of an endpoint to claim. */
export interface ClaimShare<Endpoint> {
  endpoint: Endpoint;
  count: number;
}

interface Usage {
  /** Claimed and not finished: waiting or in flight. */
  claimed: number;
  inFlight: number;
}

interface StoreState extends Usage {
  /** The share of its slow endpoints. */
  slow: Usage;
  /** Its endpoints with waiting claims, in start order. */
  waiting: Set<string>;
}

interface EndpointState<Claim> extends Usage {
  id: string;
  storeId: string;
  limit: number;
  isSlow: boolean;
  /** Duration of the last attempt. */
  lastMs: number;
  waiting: Claim[];
}

function addTo(sum: Usage, { claimed, inFlight }: Usage, sign: 1 | -1) {
  sum.claimed += sign * claimed;
  sum.inFlight += sign * inFlight;
}

export type DeliveryScheduler<Claim extends { endpoint: SchedulableEndpoint }> = ReturnType<
  typeof deliveryScheduler<Claim>
>;

export function deliveryScheduler<Claim extends { endpoint: SchedulableEndpoint }>(maxInFlight = MAX_IN_FLIGHT) {
  const endpoints = new Map<string, EndpointState<Claim>>();
  const stores = new Map<string, StoreState>();
  /** Stores with waiting claims, in start order. */
  const waiting = new Set<string>();
  const all: Usage = { claimed: 0, inFlight: 0 };
  const slow: Usage = { claimed: 0, inFlight: 0 };
  const maxClaimed = maxInFlight * MAX_CLAIM_FACTOR;
  /** Slow endpoints share half of the slots; the other half is reserved for fast ones. */
  const maxSlow = Math.max(1, Math.floor(maxInFlight / 2));
  /** When each store and endpoint last had a delivery claimed, least recent first. */
  const served = new Map<string, number>();
  let serveNumber = 0;

  function endpointOf({ id, store_id, consecutive_failures: failures }: SchedulableEndpoint): EndpointState<Claim> {
    const known = endpoints.get(id);
    if (known) return known;
    // An endpoint that was failing before this process started begins as slow.
    const limit = failures ? MIN_PER_ENDPOINT : INITIAL_PER_ENDPOINT;
    return { id, storeId: store_id, claimed: 0, inFlight: 0, limit, isSlow: failures > 0, lastMs: 0, waiting: [] };
  }

  function storeOf(id: string): StoreState {
    return stores.get(id) ?? { claimed: 0, inFlight: 0, slow: { claimed: 0, inFlight: 0 }, waiting: new Set() };
  }

  /** Changes an endpoint and updates the sums of its store and the global ones. */
  function change(
    endpoint: EndpointState<Claim>,
    { claimed = 0, inFlight = 0, limit = endpoint.limit, isSlow = endpoint.isSlow },
  ) {
    const store = storeOf(endpoint.storeId);
    addUsage(endpoint, store, -1);
    endpoint.claimed += claimed;
    endpoint.inFlight += inFlight;
    endpoint.limit = limit;
    endpoint.isSlow = isSlow;
    addUsage(endpoint, store, 1);
    // Drop state that equals that of a new endpoint.
    if (endpoint.claimed === 0 && limit <= INITIAL_PER_ENDPOINT && !isSlow) endpoints.delete(endpoint.id);
    else endpoints.set(endpoint.id, endpoint);
    if (store.claimed === 0) stores.delete(endpoint.storeId);
    else stores.set(endpoint.storeId, store);
  }

  function addUsage(endpoint: EndpointState<Claim>, store: StoreState, sign: 1 | -1) {
    addTo(all, endpoint, sign);
    addTo(store, endpoint, sign);
    if (!endpoint.isSlow) return;
    addTo(slow, endpoint, sign);
    addTo(store.slow, endpoint, sign);
  }

  /** Maximum number of unfinished claims of an endpoint. */
  function maxClaimedOf({ limit, isSlow, lastMs }: EndpointState<Claim>): number {
    if (limit <= INITIAL_PER_ENDPOINT || isSlow) return limit;
    return limit * Math.min(MAX_CLAIM_FACTOR, Math.max(1, Math.floor(MAX_CLAIM_AHEAD_MS / Math.max(1, lastMs))));
  }

  /**
   * A store may use no more slots than it leaves free: one store gets half of them, two get a third each, and so on. So
   * a store with nothing in flight always finds a free slot.
   */
  const hasFreeSlot = (store: StoreState) => store.inFlight < maxInFlight - all.inFlight;
  const hasFreeSlowSlot = (store: StoreState) => store.slow.inFlight < maxSlow - slow.inFlight;

  function mayStart(endpoint: EndpointState<Claim>, store: StoreState): boolean {
    return endpoint.inFlight < endpoint.limit && (!endpoint.isSlow || hasFreeSlowSlot(store));
  }

  /** The endpoint that starts an attempt next. */
  function nextEndpoint(): EndpointState<Claim> | undefined {
    if (all.inFlight >= maxInFlight) return undefined;
    for (const storeId of waiting) {
      const store = storeOf(storeId);
      if (!hasFreeSlot(store)) continue;
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

  function serve(storeId: string, endpointId: string) {
    // Consecutive claims of one endpoint count once.
    if (served.get(endpointId) === serveNumber) return;
    serveNumber++;
    for (const id of [storeId, endpointId]) {
      served.delete(id);
      served.set(id, serveNumber);
    }
    for (const id of served.keys()) {
      if (served.size <= MAX_SERVED_ENTRIES) break;
      served.delete(id);
    }
  }

  /** Least recently served first. */
  const leastRecentlyServed = <Item>(items: Iterable<Item>, idOf: (item: Item) => string): Item[] =>
    [...items].sort((a, b) => {
      const [idA, idB] = [idOf(a), idOf(b)];
      return (served.get(idA) ?? 0) - (served.get(idB) ?? 0) || (idA < idB ? -1 : 1);
    });

  return {
    /** Distributes the free claims: first an equal share per store and endpoint, then the remainder. */
    pick<Endpoint extends SchedulableEndpoint>(due: readonly Endpoint[]): ClaimShare<Endpoint>[] {
      const byStore = new Map<string, Endpoint[]>();
      for (const endpoint of due) {
        const list = byStore.get(endpoint.store_id);
        if (list) list.push(endpoint);
        else byStore.set(endpoint.store_id, [endpoint]);
      }
      const candidates = leastRecentlyServed(byStore, ([id]) => id).map(([id, list]) => {
        const { claimed, slow } = storeOf(id);
        const endpoints = leastRecentlyServed(list, (endpoint) => endpoint.id);
        return { claimed, slowClaimed: slow.claimed, endpoints: endpoints.map((endpoint) => ({ endpoint, count: 0 })) };
      });
      let free = maxClaimed - all.claimed;
      let slowFree = maxSlow - slow.claimed;
      const storeShare = free / Math.max(1, candidates.length);
      for (const isFirstPass of [true, false]) {
        for (const store of candidates) {
          const share = isFirstPass ? Math.max(1, Math.floor(storeShare / store.endpoints.length)) : free;
          for (const candidate of store.endpoints) {
            const state = endpointOf(candidate.endpoint);
            // As with starts, a store claims no more than it leaves free.
            let available = Math.ceil((free - store.claimed) / 2);
            if (state.isSlow) available = Math.min(available, Math.ceil((slowFree - store.slowClaimed) / 2));
            const count = Math.max(
              0,
              Math.min(share, available, maxClaimedOf(state) - state.claimed - candidate.count),
            );
            candidate.count += count;
            store.claimed += count;
            free -= count;
            if (state.isSlow) {
              store.slowClaimed += count;
              slowFree -= count;
            }
          }
        }
      }
      return candidates.flatMap(({ endpoints }) => endpoints.filter(({ count }) => count > 0));
    },

    /** Adds a claimed delivery to the waiting ones. */
    add(claim: Claim) {
      const endpoint = endpointOf(claim.endpoint);
      change(endpoint, { claimed: 1 });
      endpoint.waiting.push(claim);
      enqueue(endpoint);
      serve(endpoint.storeId, endpoint.id);
    },

    /** Returns the claim to start next and counts it as in flight; undefined when none may start. */
    next(): Claim | undefined {
      const endpoint = nextEndpoint();
      const claim = endpoint?.waiting.shift();
      if (!endpoint || !claim) return undefined;
      const { storeId } = endpoint;
      // Round-robin: move the endpoint and the store to the end of their queues.
      dequeue(endpoint);
      waiting.delete(storeId);
      enqueue(endpoint);
      if (storeOf(storeId).waiting.size) waiting.add(storeId);
      change(endpoint, { inFlight: 1 });
      return claim;
    },

    /** The attempt of a claim from `next` has finished: adapts the limit of its endpoint. */
    finish({ endpoint: { id } }: Claim, isSuccess: boolean, durationMs: number) {
      const endpoint = endpoints.get(id);
      if (!endpoint) return;
      const isSlow = durationMs > SLOW_MS;
      const limit =
        isSuccess && !isSlow
          ? Math.min(MAX_PER_ENDPOINT, endpoint.limit + 1)
          : Math.max(MIN_PER_ENDPOINT, endpoint.limit >> 1);
      endpoint.lastMs = durationMs;
      change(endpoint, { claimed: -1, inFlight: -1, limit, isSlow });
    },

    /** A claim from `next` will not be sent. */
    drop({ endpoint: { id } }: Claim) {
      const endpoint = endpoints.get(id);
      if (endpoint) change(endpoint, { claimed: -1, inFlight: -1 });
    },

    /** A claim from `next` was not started: it waits again, ahead of the other claims of its endpoint. */
    requeue(claim: Claim) {
      const endpoint = endpoints.get(claim.endpoint.id);
      if (!endpoint) return;
      change(endpoint, { inFlight: -1 });
      endpoint.waiting.unshift(claim);
      enqueue(endpoint);
    },

    /** Removes and returns the matching waiting claims. Fewer are claimed for their endpoints until they respond. */
    removeWaiting(matches: (claim: Claim) => boolean): Claim[] {
      const found: Claim[] = [];
      for (const storeId of [...waiting])
        for (const id of [...storeOf(storeId).waiting]) {
          const endpoint = endpoints.get(id);
          const claims = endpoint?.waiting.filter(matches) ?? [];
          if (!endpoint || !claims.length) continue;
          endpoint.lastMs = Math.max(endpoint.lastMs, MAX_CLAIM_AHEAD_MS);
          endpoint.waiting = endpoint.waiting.filter((claim) => !matches(claim));
          if (!endpoint.waiting.length) dequeue(endpoint);
          change(endpoint, { claimed: -claims.length });
          found.push(...claims);
        }
      return found;
    },

    /** Whether claims wait that may not start before an attempt ends. */
    isSaturated: () => waiting.size > 0 && !nextEndpoint(),
  };
}
