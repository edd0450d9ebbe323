import type { SortOrder } from '@store-sales/contract';
import { HOUR } from '../duration.ts';
import { iso, parseInstant } from '../instant.ts';
import type { Cursors } from './cursor.ts';
import type { ListQuery } from './list.ts';

/** A repair of a store's clock, which was ahead until `until` and was set back to `at`. */
export interface ClockRepair {
  at: number;
  until: number;
  /** The last change number before the repair: positions in the future have this number or a lower one. */
  seq: number;
  /** The change number of the repair itself. */
  doneSeq?: number;
}

/** Read together with the API key. */
interface StoreClock {
  store_id: string;
  ts: number;
  /** JSON of `ClockRepair[]`. */
  repairs: string | null;
}

/** For this long after a repair, a time up to `until` may be from before it: enough for a client that polls daily. */
const GRACE_MS = 25 * HOUR;

/**
 * Moves the position of a client that synchronized while the store's clock was ahead back to the repair. All records
 * that the repair stamped again and all later changes come after it, so the client misses nothing, but it may receive
 * a record twice.
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
  /** Without a change number, a time up to the store's clock may also be from after the repair. */
  const repairFor = (time: number) => known.find((each) => isIn(time, each) && (time > ts || ts <= each.at + GRACE_MS));
  const moved: ListQuery = {};

  for (const name of ['createdAt', 'updatedAt'] as const) {
    const text = query[`filter[${name}][to]`] === undefined ? query[`filter[${name}][from]`] : undefined;
    const time = text === undefined ? undefined : parseInstant(text, 'up');
    const repair = time === undefined ? undefined : repairFor(time);
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
