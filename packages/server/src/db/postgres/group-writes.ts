import {
  type ClockRequest,
  DatabaseUnavailable,
  type RowsStatement,
  type Tick,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';

/** Bounds how long the store's clock is locked, and how much is repeated when a group fails. */
const MAX_GROUP_SIZE = 32;
/** Groups of one store that run at the same time in this process. */
const MAX_GROUPS = 1;

type Work = (tx: Transaction) => Promise<unknown>;

interface Member {
  work: Work;
  options: TransactionOptions;
  /** Two members with a name in common never share a group. */
  names: Set<string>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  waiting: Member[];
  running: number;
}

/** Another member of the group has claimed the name: this one runs again, in a later group. */
class InUse extends Error {
  override name = 'InUse';
  constructor(readonly claimed: string) {
    super(`${claimed} is in use`);
  }
}

/** One attempt of a transaction; `failure` gives the error of its first failed statement. */
type Attempt = <Result>(
  work: (tx: Transaction, failure: () => unknown) => Promise<Result>,
  options: TransactionOptions,
) => Promise<Result>;
type Alone = (work: Work, options: TransactionOptions) => Promise<unknown>;

/**
 * Writes of one store that wait at the same time share one transaction: one lock of the store's clock, one block of
 * change numbers, one commit. A write that finds none running starts at once; the next group is what has arrived
 * meanwhile. The members are interleaved, so a group takes about as many round trips as one write.
 *
 * A member that fails before it has written leaves the group. If anything else fails, the group is rolled back and each
 * member runs alone, so only the faulty one fails. Nobody gets a result before the commit.
 */
export function groupWrites(attempt: Attempt, alone: Alone) {
  const stores = new Map<string, Queue>();

  function start(storeId: string, queue: Queue) {
    while (queue.running < MAX_GROUPS && queue.waiting.length) {
      queue.running++;
      run(queue, takeGroup(queue)).finally(() => {
        queue.running--;
        start(storeId, queue);
        if (!queue.running) stores.delete(storeId);
      });
    }
  }

  async function run(queue: Queue, members: Member[]) {
    const [first] = members as [Member, ...Member[]];
    if (members.length === 1) return runAlone(first);
    const isLazy = members.every(({ options }) => options.isLazy);
    let outcomes: Outcome[];
    try {
      outcomes = await attempt((tx, failure) => runTogether(tx, members, failure), { isLazy });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) for (const { reject } of members) reject(error);
      else for (const member of members) await runAlone(member);
      return;
    }
    const deferred: Member[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const member = members[index] as Member;
      if (!('error' in outcome)) {
        for (const action of outcome.actions) action();
        member.resolve(outcome.result);
      } else if (outcome.error instanceof InUse) {
        member.names.add(outcome.error.claimed);
        deferred.push(member);
      } else member.reject(outcome.error);
    }
    queue.waiting.unshift(...deferred);
  }

  const runAlone = ({ work, options, resolve, reject }: Member) => alone(work, options).then(resolve, reject);

  return function enqueue<Result>(
    storeId: string,
    work: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const queue = stores.get(storeId) ?? { waiting: [], running: 0 };
      stores.set(storeId, queue);
      const key = options.group?.key;
      const names = new Set(key === undefined ? [] : [key]);
      queue.waiting.push({ work, options, names, resolve: resolve as Member['resolve'], reject });
      start(storeId, queue);
    });
  };
}

/** The first that have no name in common, sorted: all nodes lock rows in this order, which prevents deadlocks. */
function takeGroup(queue: Queue): Member[] {
  const group: Member[] = [];
  const taken = new Set<string>();
  queue.waiting = queue.waiting.filter((member) => {
    if (group.length === MAX_GROUP_SIZE || [...member.names].some((name) => taken.has(name))) return true;
    group.push(member);
    for (const name of member.names) taken.add(name);
    return false;
  });
  const keyOf = ({ options }: Member) => options.group?.key ?? '';
  return group.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

type Outcome = { result: unknown; actions: (() => void)[] } | { error: unknown };

/** Throws if the transaction has to be rolled back. */
async function runTogether(tx: Transaction, members: readonly Member[], failure: () => unknown): Promise<Outcome[]> {
  const meeting = meetingPoint(tx, members.length);
  const claims = new Map<string, object>();
  const batch = rowBatch(tx);
  const outcomes = await Promise.all(
    members.map(async ({ work }): Promise<Outcome & { hasWritten: boolean }> => {
      const member = memberTransaction(tx, meeting, batch, claims);
      try {
        const result = await work(member.tx);
        return { result, actions: member.actions, hasWritten: true };
      } catch (error) {
        return { error, hasWritten: member.hasWritten() };
      } finally {
        member.end();
        meeting.leave();
      }
    }),
  );
  batch.flush();
  if (failure() !== undefined) throw failure();
  for (const outcome of outcomes) if ('error' in outcome && outcome.hasWritten) throw outcome.error;
  return outcomes;
}

interface Waiting<Request, Result> {
  request: Request;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Where the members meet: when all of them wait, their name locks are taken in one sorted statement, and then their
 * change numbers as one block.
 */
function meetingPoint(tx: Transaction, count: number) {
  let active = count;
  let locks: Waiting<{ storeId: string; names: readonly string[] }, void>[] = [];
  let ticks: Waiting<ClockRequest, Tick>[] = [];

  function check() {
    if (!active || locks.length + ticks.length < active) return;
    const [lockers, tickers] = [locks, ticks];
    if (lockers.length) {
      locks = [];
      takeLocks(lockers).catch(rejectAll(lockers));
    } else {
      ticks = [];
      advance(tickers).catch(rejectAll(tickers));
    }
  }

  const rejectAll = (asked: readonly { reject: (error: unknown) => void }[]) => (error: unknown) => {
    for (const { reject } of asked) reject(error);
  };

  async function takeLocks(asked: typeof locks) {
    const { storeId } = (asked[0] as (typeof asked)[number]).request;
    await tx.lock(
      storeId,
      asked.flatMap(({ request }) => request.names),
    );
    for (const { resolve } of asked) resolve();
  }

  async function advance(asked: Waiting<ClockRequest, Tick>[]) {
    const requests = asked.map(({ request }) => request);
    const sum = (pick: (request: ClockRequest) => number) => requests.reduce((total, one) => total + pick(one), 0);
    const [count, orders] = [sum((one) => one.count), sum((one) => one.orders)];
    const now = Math.max(...requests.map((one) => one.now));
    const { storeId } = requests[0] as ClockRequest;
    const last = await tx.advanceClock({ storeId, now, count, orders });
    let [seq, number] = [last.seq - count, last.number - orders];
    for (const { request, resolve } of asked) {
      seq += request.count;
      number += request.orders;
      resolve({ seq, number, at: last.at });
    }
  }

  const wait = <Request, Result>(list: Waiting<Request, Result>[], request: Request) => {
    const waiting = new Promise<Result>((resolve, reject) => list.push({ request, resolve, reject }));
    check();
    return waiting;
  };

  return {
    lock: (storeId: string, names: readonly string[]) => wait(locks, { storeId, names }),
    tick: (request: ClockRequest) => wait(ticks, request),
    leave() {
      active--;
      check();
    },
  };
}

interface Rows {
  rows: unknown[];
  onDone: ((count: number) => void)[];
}

/**
 * Collects the rows of all members until they wait, one statement for each kind, and then the reads that follow them.
 * Every member inserts its kinds in the same order, and ends with the same ones, so the order of their last uses is right
 * for all of them.
 */
function rowBatch(tx: Transaction) {
  let kinds = new Map<RowsStatement<unknown>, Rows>();
  let reads: (() => void)[] = [];
  let isScheduled = false;

  function flush() {
    const [inserts, queries] = [kinds, reads];
    kinds = new Map();
    reads = [];
    for (const [statement, { rows, onDone }] of inserts)
      tx.send(statement.many(tx.dialect, rows), (count) => {
        for (const action of onDone) action(count);
      });
    for (const read of queries) read();
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(() => {
      isScheduled = false;
      flush();
    });
  }

  return {
    flush,
    add(statement: RowsStatement<unknown>, rows: readonly unknown[], onDone?: (count: number) => void) {
      const known = kinds.get(statement) ?? { rows: [], onDone: [] };
      known.rows.push(...rows);
      if (onDone) known.onDone.push(onDone);
      // Moves it to the end.
      kinds.delete(statement);
      kinds.set(statement, known);
      schedule();
    },
    /** Sends the read after the rows that are collected now. */
    read<Result>(query: () => Promise<Result>): Promise<Result> {
      if (!kinds.size) return query();
      schedule();
      return new Promise((resolve, reject) => reads.push(() => void query().then(resolve, reject)));
    },
  };
}

/** The shared transaction, as one member sees it. */
function memberTransaction(
  tx: Transaction,
  meeting: ReturnType<typeof meetingPoint>,
  batch: ReturnType<typeof rowBatch>,
  claims: Map<string, object>,
) {
  const member = {};
  const actions: (() => void)[] = [];
  let hasWritten = false;
  let isOver = false;
  /** Statements wait for the locks that the member has asked for before. */
  let locked: Promise<void> | undefined;

  const inOrder = <Result>(statement: () => Promise<Result>): Promise<Result> => {
    if (isOver) return Promise.reject(new Error('the transaction is over'));
    return locked ? locked.then(statement) : statement();
  };
  const claim = (name: string) => {
    const owner = claims.get(name);
    if (owner && owner !== member) throw new InUse(name);
    claims.set(name, member);
  };
  const write = <Result>(statement: () => Promise<Result>) => {
    hasWritten = true;
    return inOrder(statement);
  };
  const ignore = () => {};
  /** The caller may not await it: the response to a write is read with the commit, and the commit reports the failure. */
  const read = <Result>(query: () => Promise<Result>) => {
    const result = inOrder(() => batch.read(query));
    result.catch(ignore);
    return result;
  };
  const shared: Transaction = {
    dialect: tx.dialect,
    all: (query) => read(() => tx.all(query)),
    one: (query) => read(() => tx.one(query)),
    run: (query) => write(() => tx.run(query)),
    send: (query, onDone) => void write(async () => tx.send(query, onDone)).catch(ignore),
    sendRows(statement, rows, onDone) {
      // The rows of several members would have to be found again by their shard.
      if (tx.dialect.isDistributed) return this.send(statement.few(tx.dialect, rows), onDone);
      hasWritten = true;
      batch.add(statement as RowsStatement<unknown>, rows, onDone);
    },
    sendLast: (query) => void write(async () => tx.sendLast(query)).catch(ignore),
    onCommit: (action) => void actions.push(action),
    // Not async: a claimed name throws before the member can send anything else.
    lock(storeId, names) {
      for (const name of names) claim(name);
      locked = inOrder(() => meeting.lock(storeId, names));
      locked.catch(ignore);
      return locked;
    },
    claim,
    advanceClock: (request) => write(() => meeting.tick(request)),
  };
  return {
    tx: shared,
    actions,
    hasWritten: () => hasWritten,
    end() {
      isOver = true;
    },
  };
}
