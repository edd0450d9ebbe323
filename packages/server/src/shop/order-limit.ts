import { LRUCache } from 'lru-cache';
import { MINUTE } from '../time/duration.ts';

const MAX_NETWORKS = 10_000;

/** At most `limit` orders within a time from one network. Counted in memory, per node. */
export function orderLimit(limit: number, within = MINUTE) {
  const counted = new LRUCache<string, { at: number; form: string }[]>({ max: MAX_NETWORKS });
  return {
    /** Counts an order, but once for a form that is sent several times. Returns the seconds to wait if there were too many. */
    take(network: string, form: string, now: number): number {
      const recent = (counted.get(network) ?? []).filter(({ at }) => now - at < within);
      if (recent.some((each) => each.form === form)) return 0;
      const [first] = recent;
      if (first && recent.length >= limit) return Math.ceil((first.at + within - now) / 1000);
      counted.set(network, [...recent, { at: now, form }]);
      return 0;
    },
  };
}
