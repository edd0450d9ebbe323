import type { Caller } from '../keys/authenticate.ts';

export interface CachedResponse {
  headers?: Record<string, string>;
  body: Buffer;
}

interface Entry {
  seq: number;
  ts: number;
  response: CachedResponse;
  size: number;
}

/** Approximate memory of an entry besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 300;

/**
 * Caches responses that depend only on the URL and the store's change number, which the key lookup of every request
 * returns. The number is read before the response is produced, so a cached response may be newer than its number but
 * never older. The number's time is compared too, because a restored database may hand out numbers again. See
 * docs/decisions/response-cache.md.
 */
export function responseCache(limit: number) {
  // A two-generation LRU: when the young half is full it becomes the old one, and the old one is dropped.
  let [young, old] = [new Map<string, Entry>(), new Map<string, Entry>()];
  let free = limit / 2;

  function put(key: string, entry: Entry) {
    free += (young.get(key)?.size ?? 0) - entry.size;
    young.set(key, entry);
    if (free > 0) return;
    [young, old] = [new Map(), young];
    free = limit / 2;
  }

  return {
    get({ store_id, seq, ts }: Caller, url: string): CachedResponse | undefined {
      const key = store_id + url;
      const recent = young.get(key);
      const found = recent ?? old.get(key);
      if (found?.seq !== seq || found.ts !== ts) return undefined;
      if (!recent) put(key, found);
      return found.response;
    },
    set({ store_id, seq, ts }: Caller, url: string, response: CachedResponse) {
      const size = store_id.length + url.length + response.body.length + ENTRY_OVERHEAD_BYTES;
      if (size <= limit / 20) put(store_id + url, { seq, ts, response, size });
    },
  };
}
