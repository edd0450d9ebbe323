import { LRUCache } from 'lru-cache';
import type { KeyCaller } from './callers.ts';

export interface CachedResponse {
  headers?: Record<string, string>;
  body: Buffer;
}

interface Entry {
  seq: number;
  ts: number;
  response: CachedResponse;
}

/** Approximate memory of an entry besides its key and body. */
const ENTRY_OVERHEAD_BYTES = 300;

/**
 * Caches responses that depend only on the URL and the store's change number, which the key lookup of every request
 * returns. The number is read before the response is produced, so a cached response may be newer than its number but
 * never older. The number's time is compared too, because numbers may repeat in a restored database. See
 * docs/decisions/response-cache.md.
 */
export function responseCache(limit: number) {
  const cache = new LRUCache<string, Entry>({
    // Not 0, which would mean no limit; no entry fits into 1.
    maxSize: limit || 1,
    maxEntrySize: Math.ceil(limit / 20) || 1,
    sizeCalculation: ({ response }, key) => key.length + response.body.length + ENTRY_OVERHEAD_BYTES,
  });
  return {
    get({ store_id, seq, ts }: KeyCaller, url: string): CachedResponse | undefined {
      const found = cache.get(store_id + url);
      return found?.seq === seq && found.ts === ts ? found.response : undefined;
    },
    set({ store_id, seq, ts }: KeyCaller, url: string, response: CachedResponse) {
      cache.set(store_id + url, { seq, ts, response });
    },
  };
}
