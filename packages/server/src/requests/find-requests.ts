import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Queryable } from '../db/database.ts';
import type { CursorScope } from '../db/lists/cursor.ts';
import { asUuid, firstUuidAt } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import type { Services } from '../services.ts';
import type { StoreDay } from '../time/store-days.ts';
import * as queries from './requests.queries.ts';

/** Lines that one statement examines: on SQLite it blocks other requests for some milliseconds. */
const SLICE_SIZE = 5000;
const LAST_INSTANT = 2 ** 48 - 1;

export interface RequestCriteria extends queries.LogFilter {
  /** The first and the last instant. */
  from?: number | undefined;
  to?: number | undefined;
}

/** `422` is one status, `4xx` all from 400 to 499; undefined if it is neither. */
export function parseStatus(text: string): readonly [number, number] | undefined {
  const [, first, rest] = /^([1-5])(\d\d|xx)$/.exec(text) ?? [];
  if (!first || !rest) return undefined;
  return rest === 'xx' ? [Number(first) * 100, Number(first) * 100 + 99] : [Number(text), Number(text)];
}

const rangeOf = ({ from = 0, to = LAST_INSTANT - 1 }: RequestCriteria, before = firstUuidAt(to + 1)) => ({
  from: firstUuidAt(from),
  before,
});

/** Ranges of a few thousand lines each, newest first. */
async function* slices(db: Queryable, storeId: string, range: queries.IdRange, size: number) {
  for (let { before } = range; ; await nextIteration()) {
    const from = await queries.idBelow(db, storeId, { from: range.from, before }, size);
    yield { from: from ?? range.from, before };
    if (!from) return;
    before = from;
  }
}

/** Requests of a store, newest first, and the cursor of the next page. */
export async function listRequests(
  { db, cursors }: Pick<Services, 'db' | 'cursors'>,
  storeId: string,
  criteria: RequestCriteria,
  {
    cursor,
    limit = 50,
    sliceSize = SLICE_SIZE,
  }: { cursor?: string | undefined; limit?: number; sliceSize?: number } = {},
): Promise<{ rows: queries.LogRow[]; nextCursor: string | null }> {
  const scope: CursorScope = { resource: 'requests', storeId, order: 'createdAt:desc' };
  const before = cursor === undefined ? undefined : String(cursors.read(scope, cursor)[1]);
  const found: queries.LogRow[] = [];
  const range = rangeOf(criteria, before);
  const parts = queries.isFiltered(criteria) ? slices(db, storeId, range, sliceSize) : [range];
  for await (const slice of parts) {
    found.push(...(await queries.list(db, storeId, slice, criteria, limit + 1 - found.length)));
    if (found.length > limit) break;
  }
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > limit && last ? cursors.write(scope, [last.received_at, last.id]) : null,
  };
}

/** Numbers of requests by day and by status. */
export async function countRequests(
  { db }: Pick<Services, 'db'>,
  storeId: string,
  criteria: RequestCriteria,
  days: readonly StoreDay[],
  sliceSize = SLICE_SIZE,
) {
  const byDay = days.map(({ date }) => ({ date, succeeded: 0, refused: 0, failed: 0 }));
  const byStatus = new Map<number, number>();
  const range = { ...criteria, from: days[0]?.from, to: (days.at(-1)?.to ?? 0) - 1 };
  for await (const slice of slices(db, storeId, rangeOf(range), sliceSize))
    for (const row of await queries.count(db, storeId, slice, criteria)) {
      const [at, status, count] = [Number(row.quarter) * QUARTER, Number(row.status), Number(row.count)];
      const day = byDay[days.findIndex(({ from, to }) => at >= from && at < to)];
      if (day) day[status < 400 ? 'succeeded' : status < 500 ? 'refused' : 'failed'] += count;
      byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    }
  const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => ({ status, count }));
  return { days: byDay, statuses };
}

const QUARTER = 900_000;

export async function findRequest(db: Queryable, storeId: string, id: string) {
  const uuid = asUuid(id);
  const row = uuid && (await queries.find(db, storeId, uuid));
  if (!row) throw notFound('request');
  return row;
}
