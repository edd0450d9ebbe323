import { preparedTemplate } from '../prepared-template.ts';
import type { Transaction } from '../queryable.ts';
import { sql } from '../sql.ts';

/**
 * The clock of a store, from which its changes draw their numbers: see docs/decisions/change-number.md. Whoever changes
 * something that clients follow locks it first, before any row of the store, and holds it until the commit. So numbers
 * are in commit order, which times are not, and changes of one store never wait for each other in a circle.
 */
export class StoreClock {
  constructor(
    /** The last change number that was drawn. */
    public seq: number,
    /** The time of the change: never earlier than an earlier change of the store. */
    readonly time: number,
    /** The last order number that was drawn. */
    public number: number,
    /** What earlier plans of the transaction write, by name: a later one uses it instead of what it has read. */
    readonly written: Map<string, number> = new Map(),
  ) {}

  /** The clock for a further plan, at a later time. If the plan is rejected, it is dropped with all that it holds. */
  at(now: number): StoreClock {
    return new StoreClock(this.seq, Math.max(this.time, now), this.number, new Map(this.written));
  }

  nextSeq(): number {
    return ++this.seq;
  }

  nextNumber(): number {
    return ++this.number;
  }
}

const lockStatement = preparedTemplate(
  ({ forNoKeyUpdate }, storeId: string) =>
    sql`select seq, ts, last_number from store_clocks where store_id = ${storeId} ${forNoKeyUpdate}`,
);

/** Locks the clock: until the commit, the store has no later change. */
export async function lockClock(tx: Transaction, storeId: string): Promise<StoreClock> {
  const clock = await tx.one<{ seq: number; ts: number; last_number: number }>(lockStatement(tx.dialect, storeId));
  if (!clock) throw noClock(storeId);
  return new StoreClock(clock.seq, clock.ts, clock.last_number);
}

export const saveClock = (tx: Transaction, storeId: string, { seq, time, number }: StoreClock) =>
  tx.run(sql`update store_clocks set seq = ${seq}, ts = ${time}, last_number = ${number} where store_id = ${storeId}`);

/** Change numbers of a store, with the time of the change. */
export interface Tick {
  /** The last of `count` consecutive numbers. */
  seq: number;
  at: number;
}

/** Locks the clock, if it is not locked yet, and draws change numbers. */
export async function tick(tx: Transaction, storeId: string, now: number, { count = 1 } = {}): Promise<Tick> {
  const clock = await tx.one<{ seq: number; ts: number }>(
    sql`update store_clocks set seq = seq + ${count}, ts = ${tx.dialect.greatest(sql`ts`, sql`${now}`)}
        where store_id = ${storeId} returning seq, ts`,
  );
  if (!clock) throw noClock(storeId);
  return { seq: clock.seq, at: clock.ts };
}

const noClock = (storeId: string) => new Error(`store ${storeId} has no clock`);
