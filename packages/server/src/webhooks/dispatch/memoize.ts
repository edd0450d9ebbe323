import { LRUCache } from 'lru-cache';

/** Roughly the number of endpoints in use at the same time. */
const MAX_ENTRIES = 1000;

/** Caches results by argument. */
export function memoize<Result extends object | string>(compute: (text: string) => Result) {
  const cache = new LRUCache<string, Result>({ max: MAX_ENTRIES, memoMethod: compute });
  return (text: string): Result => cache.memo(text);
}
