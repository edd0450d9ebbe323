import type { SortOrder } from '@store-sales/contract';
import { iso, parseInstant } from '../instant.ts';
import type { Cursors } from './cursor.ts';
import type { ListQuery } from './list.ts';

/** A repair of a store's clock, which was ahead up to `until` and was set back to `at`. */
export interface ClockRepair {
  at: number;
  until: number;
  /** The last change number before it: positions in the future have this one or a lower one. */
  seq: number;
  /** The change number with which it was done. */
  doneSeq?: number;
}

/** What is known of a store with its key. */
interface StoreClock {
  store_id: string;
  ts: number;
  /** JSON of `ClockRepair[]`. */
  repairs: string | null;
}

/** So long after a repair every time up to `until` may be older than it: enough for a client that polls daily. */
const GRACE_MS = 25 * 3_600_000;

/**
 * Moves the position of a client that synchronized while the store's clock was ahead back to the repair. Everything
 * that the repair stamped again and every later change comes after it, so the client misses nothing; it may see a
 * record again.
 */
export function afterRepair<Query extends ListQuery>(
  cursors: Cursors,
  resource: string,
  { store_id: storeId, ts, repairs }: StoreClock,
  query: Query,
): Query {
  if (repairs === null) return query;
  const known = JSON.parse(repairs) as ClockRepair[];
  const isIn = (time: number, { at, until }: ClockRepair) => time > at && time <= until;
  /** A time alone may also be one since the repair, once that time has come. */
  const ofTime = (time: number) => known.find((each) => isIn(time, each) && (time > ts || ts <= each.at + GRACE_MS));
  const moved: ListQuery = {};

  for (const name of ['createdAt', 'updatedAt'] as const) {
    const text = query[`filter[${name}][to]`] === undefined ? query[`filter[${name}][from]`] : undefined;
    const time = text === undefined ? undefined : parseInstant(text, 'up');
    const repair = time === undefined ? undefined : ofTime(time);
    if (repair) moved[`filter[${name}][from]`] = iso(repair.at);
  }

  const order: SortOrder = query.order ?? 'createdAt:desc';
  if (query.cursor && order.endsWith(':asc')) {
    const scope = { resource, storeId, order };
    const [time, tie] = cursors.read(scope, query.cursor);
    const isOld = ({ seq }: ClockRepair) => (order === 'updatedAt:asc' ? Number(tie) <= seq : time > ts);
    const repair = known.find((each) => isIn(time, each) && isOld(each));
    if (repair) moved.cursor = cursors.write(scope, [repair.at - 1, tie]);
  }
  return { ...query, ...moved };
}
