/** Roughly the number of endpoints in use at the same time. */
const MAX_ENTRIES = 1000;

/** Caches results by argument; the cache is cleared when full. */
export function memoize<Result>(compute: (text: string) => Result) {
  const cache = new Map<string, Result>();
  return (text: string): Result => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    const result = compute(text);
    cache.set(text, result);
    return result;
  };
}
