import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { DatabaseUnavailable, OutcomeUnknown } from '../db/database.ts';
import type { Services } from '../services.ts';
import { SECOND } from '../time/duration.ts';
import { type PendingLine, rowOf } from './line.ts';
import * as queries from './requests.queries.ts';

const FLUSH_INTERVAL = SECOND;
/** On SQLite one batch blocks other writers for some milliseconds. */
const BATCH_SIZE = 500;
/** Less than the limit of a graceful stop. */
const MAX_STOP_WAIT = 5 * SECOND;

const defaults = {
  /** Memory of the lines of one store and of all, in characters: about 10,000 and 80,000 lines. */
  maxPerStore: 4_000_000,
  maxTotal: 32_000_000,
  /** Lines written at once; few if many requests arrived since the last time, so that the log takes little from them. */
  maxPerFlush: 5000,
  maxWhenBusy: 500,
  busyAt: 1000,
  /** Of a store in the database. */
  maxLines: 100_000,
};

/** What a line takes besides its two long texts. */
const LINE_SIZE = 300;
const sizeOf = ({ url, problem }: PendingLine) => LINE_SIZE + url.length + (problem?.length ?? 0);

interface StoreBuffer {
  lines: PendingLine[];
  size: number;
}

/**
 * Collects the lines of the request log in memory and writes them about once a second, off the path of the requests. A
 * store that makes more requests than can be written loses its own lines, never those of other stores.
 */
export function requestLog({ db, log, registry }: Services, options: Partial<typeof defaults> = {}) {
  const { maxPerStore, maxTotal, maxPerFlush, maxWhenBusy, busyAt, maxLines } = { ...defaults, ...options };
  const registers = [registry];
  const written = new Counter({
    name: 'store_sales_request_log_lines_total',
    help: 'Lines written to the request log.',
    registers,
  });
  new Counter({
    name: 'store_sales_request_log_dropped_total',
    help: 'Lines of the request log that were dropped because of overload or a database error.',
    registers,
    collect() {
      this.inc(uncounted);
      uncounted = 0;
    },
  });
  /** Dropped lines that are not in the metric yet: to add each to it takes longer than to drop it. */
  let uncounted = 0;
  const buffers = new Map<string, StoreBuffer>();
  let total = 0;
  /** Requests since the last flush. */
  let arrived = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  const isFull = (storeId: string) => (buffers.get(storeId)?.size ?? 0) >= maxPerStore;

  function keep(line: PendingLine) {
    const { storeId } = line;
    if (isFull(storeId)) {
      uncounted++;
      return;
    }
    const buffer = buffers.get(storeId) ?? { lines: [], size: 0 };
    const size = sizeOf(line);
    buffers.set(storeId, buffer);
    buffer.lines.push(line);
    buffer.size += size;
    total += size;
    if (total > maxTotal) halveLargest();
    schedule();
  }

  function schedule() {
    if (buffers.size) timer ??= setTimeout(() => flush(), FLUSH_INTERVAL);
  }

  function halveLargest() {
    const [storeId, { lines }] = [...buffers].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    uncounted += remove(storeId, Math.ceil(lines.length / 2)).length;
  }

  function remove(storeId: string, count: number): PendingLine[] {
    const buffer = buffers.get(storeId) as StoreBuffer;
    const removed = buffer.lines.splice(0, count);
    const size = removed.reduce((sum, line) => sum + sizeOf(line), 0);
    buffer.size -= size;
    total -= size;
    if (!buffer.lines.length) buffers.delete(storeId);
    return removed;
  }

  /** Stores with few lines first, the rest in equal parts. */
  function take(max: number): PendingLine[] {
    const fewestFirst = [...buffers].sort(([, a], [, b]) => a.lines.length - b.lines.length);
    const taken: PendingLine[] = [];
    for (const [index, [storeId]] of fewestFirst.entries()) {
      const share = Math.ceil((max - taken.length) / (fewestFirst.length - index));
      if (share) taken.push(...remove(storeId, share));
    }
    return taken;
  }

  async function write(lines: PendingLine[]) {
    const rows = lines.map(rowOf);
    await db.transaction((tx) => queries.insert(tx, rows, maxLines), { isLazy: true });
    written.inc(lines.length);
  }

  /** Writes up to `max` lines. While the database is unavailable they stay in memory, within its limits. */
  async function writeSome(max: number) {
    const lines = take(max);
    for (let start = 0; start < lines.length; start += BATCH_SIZE) {
      const batch = lines.slice(start, start + BATCH_SIZE);
      try {
        await write(batch);
      } catch (err) {
        log.warn({ err }, 'failed to write the request log');
        const canRetry = err instanceof DatabaseUnavailable && !(err instanceof OutcomeUnknown);
        if (!canRetry) uncounted += batch.length;
        for (const line of lines.slice(canRetry ? start : start + BATCH_SIZE)) keep(line);
        return;
      }
    }
  }

  function flush(max = arrived > busyAt ? maxWhenBusy : maxPerFlush): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    arrived = 0;
    flushing ??= writeSome(max).finally(() => {
      flushing = undefined;
      schedule();
    });
    return flushing;
  }

  return {
    /** Calls `line` only if there is room for it. */
    add(storeId: string, line: () => PendingLine) {
      arrived++;
      if (isFull(storeId)) uncounted++;
      else keep(line());
    },
    /** Writes the next lines now. */
    flush: () => flush(),
    /** Writes all lines once, if the database lets it. */
    async stop() {
      await Promise.race([flushing, sleep(MAX_STOP_WAIT, undefined, { ref: false })]);
      await Promise.race([flush(Number.POSITIVE_INFINITY), sleep(MAX_STOP_WAIT, undefined, { ref: false })]);
      clearTimeout(timer);
      for (const storeId of [...buffers.keys()]) uncounted += remove(storeId, Number.POSITIVE_INFINITY).length;
    },
  };
}

export type RequestLog = ReturnType<typeof requestLog>;
