import { describe, expect, test } from 'vitest';
import { deliveryScheduler, type SchedulableEndpoint } from './delivery-scheduler.ts';

interface Claim {
  endpoint: SchedulableEndpoint;
}
type Scheduler = ReturnType<typeof deliveryScheduler<Claim>>;

/** In its own store by default. */
const endpoint = (id: string, { failures = 0, store = `store of ${id}` } = {}): SchedulableEndpoint => ({
  store_id: store,
  id,
  consecutive_failures: failures,
});
const several = (count: number, name: string, options?: Parameters<typeof endpoint>[1]) =>
  Array.from({ length: count }, (_, index) => endpoint(`${name}${10 + index}`, options));

const sharesOf = (scheduler: Scheduler, due: readonly SchedulableEndpoint[]) =>
  Object.fromEntries(scheduler.pick(due).map(({ endpoint: { id }, count }) => [id, count]));

/** Claims everything that `pick` allows. */
function claim(scheduler: Scheduler, due: readonly SchedulableEndpoint[]) {
  for (const { endpoint, count } of scheduler.pick(due))
    for (let added = 0; added < count; added++) scheduler.add({ endpoint });
}

/** Starts all that may start, in order. */
function start(scheduler: Scheduler): Claim[] {
  const started: Claim[] = [];
  for (let claim = scheduler.next(); claim; claim = scheduler.next()) started.push(claim);
  return started;
}

const idsOf = (claims: readonly Claim[]) => claims.map(({ endpoint }) => endpoint.id);
const countsOf = (ids: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};
const fill = (scheduler: Scheduler, due: readonly SchedulableEndpoint[]) => {
  claim(scheduler, due);
  return countsOf(idsOf(start(scheduler)));
};

/** Runs fast successful attempts, which raise the limit of the endpoint. */
function succeed(scheduler: Scheduler, each: SchedulableEndpoint, times: number, ms = 5) {
  for (let count = 0; count < times; count++) {
    scheduler.add({ endpoint: each });
    scheduler.finish(scheduler.next() as Claim, true, ms);
  }
}

describe('an endpoint', () => {
  test('without history gets four attempts in flight, a failing one two', () => {
    expect(fill(deliveryScheduler(), [endpoint('a'), endpoint('b', { failures: 3 })])).toEqual({ a: 4, b: 2 });
  });

  test('that responds fast gets a rising limit up to 32, and claims ahead of it', () => {
    const scheduler: Scheduler = deliveryScheduler();
    const a = endpoint('a');
    succeed(scheduler, a, 10);
    expect(sharesOf(scheduler, [a])).toEqual({ a: 14 * 32 });
    succeed(scheduler, a, 100);
    expect(sharesOf(scheduler, [a])).toEqual({ a: 32 * 32 });
    expect(fill(scheduler, [a])).toEqual({ a: 32 });
    expect(fill(scheduler, [a])).toEqual({});
  });

  test.each([
    [100, 5],
    [300, 1],
    [900, 1],
  ])('that responds in %i ms gets at most as many claims as can be sent in half a second', (ms, times) => {
    const scheduler: Scheduler = deliveryScheduler();
    succeed(scheduler, endpoint('a'), 100, ms);
    expect(sharesOf(scheduler, [endpoint('a')])).toEqual({ a: 32 * times });
  });

  test.each([
    ['fails', false, 5],
    ['is slow', true, 1500],
  ])('that %s gets half the limit, but at least two', (_name, isSuccess, ms) => {
    const scheduler: Scheduler = deliveryScheduler();
    const a = endpoint('a', { failures: isSuccess ? 0 : 1 });
    succeed(scheduler, endpoint('a'), 28);
    const limits: number[] = [];
    for (let count = 0; count < 6; count++) {
      scheduler.add({ endpoint: a });
      scheduler.finish(scheduler.next() as Claim, isSuccess, ms);
      for (let added = 0; added < 40; added++) scheduler.add({ endpoint: a });
      const started = start(scheduler);
      limits.push(started.length);
      scheduler.removeWaiting(() => true);
      for (const each of started) scheduler.finish(each, isSuccess, ms);
    }
    expect(limits).toEqual([16, 2, 2, 2, 2, 2]);
  });

  test('whose claims were released gets no claims beyond its in-flight limit until it responds', () => {
    const scheduler: Scheduler = deliveryScheduler();
    const a = endpoint('a');
    succeed(scheduler, a, 100);
    claim(scheduler, [a]);
    expect(scheduler.isSaturated()).toBe(false);
    const [first] = start(scheduler);
    expect(scheduler.isSaturated()).toBe(true);
    expect(sharesOf(scheduler, [a])).toEqual({});
    expect(scheduler.removeWaiting(() => true)).toHaveLength(31 * 32);
    expect([sharesOf(scheduler, [a]), scheduler.isSaturated()]).toEqual([{}, false]);
    scheduler.finish(first as Claim, true, 5);
    expect(sharesOf(scheduler, [a])).toEqual({ a: 31 * 32 + 1 });
  });
});

describe('between endpoints', () => {
  test('the least recently served are claimed first', () => {
    const scheduler: Scheduler = deliveryScheduler(1);
    const due = several(34, 'e');
    const ids = due.map(({ id }) => id);
    const first = scheduler.pick(due);
    expect(idsOf(first)).toEqual(ids.slice(0, 32));
    for (const { endpoint } of first) scheduler.add({ endpoint });
    scheduler.removeWaiting(() => true);
    expect(idsOf(scheduler.pick(due))).toEqual([...ids.slice(32), ...ids.slice(0, 30)]);
  });

  test('of one store, starts are round-robin across rounds', () => {
    const scheduler: Scheduler = deliveryScheduler(8);
    const due = several(8, 'e', { store: 's' });
    claim(scheduler, due);
    const inFlight = start(scheduler);
    const started = idsOf(inFlight);
    for (let rounds = 0; rounds < 12; rounds++) {
      scheduler.finish(inFlight.shift() as Claim, true, 100);
      const next = start(scheduler);
      inFlight.push(...next);
      started.push(...idsOf(next));
    }
    expect(started).toHaveLength(16);
    expect(countsOf(started)).toEqual(Object.fromEntries(due.map(({ id }) => [id, 2])));
  });

  test('slow ones leave half of the slots to the others', () => {
    const scheduler: Scheduler = deliveryScheduler(20);
    const slow = several(50, 'slow', { failures: 1 });
    const started = Object.values(fill(scheduler, slow)).reduce((sum, count) => sum + count, 0);
    expect([9, 10]).toContain(started);
    const fast = several(10, 'quick');
    expect(Object.keys(fill(scheduler, [...slow, ...fast])).sort()).toEqual(fast.map(({ id }) => id));
  });
});

describe('between stores', () => {
  test('one with twenty busy endpoints and one with a single endpoint start alternately', () => {
    const scheduler: Scheduler = deliveryScheduler(12);
    const busy = several(20, 'busy', { store: 'a' });
    const quiet = endpoint('quiet', { store: 'b' });
    for (let round = 0; round < 4; round++) for (const each of busy) scheduler.add({ endpoint: each });
    for (let count = 0; count < 4; count++) scheduler.add({ endpoint: quiet });
    const started = start(scheduler).map(({ endpoint }) => endpoint.store_id);
    expect(started).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
  });

  test('claims are shared evenly, not by the number of endpoints', () => {
    const scheduler: Scheduler = deliveryScheduler(4);
    const busy = several(20, 'busy', { store: 'a' });
    const quiet = endpoint('quiet', { store: 'b' });
    for (const each of [...busy, quiet]) succeed(scheduler, each, 100);
    const shares = sharesOf(scheduler, [...busy, quiet]);
    const { quiet: quietShare, ...others } = shares;
    const sum = Object.values(others).reduce((total, count) => total + count, 0);
    expect(quietShare).toBeGreaterThanOrEqual(sum / 2);
  });

  test.each([1, 2, 3, 7])('%i busy stores leave free slots for another', (count) => {
    const scheduler: Scheduler = deliveryScheduler(64);
    const busy = Array.from({ length: count }, (_, store) =>
      several(20, `hog${store}-`, { store: `hog${store}` }),
    ).flat();
    for (const each of busy) for (let added = 0; added < 10; added++) scheduler.add({ endpoint: each });
    const byStore = countsOf(start(scheduler).map(({ endpoint }) => endpoint.store_id));
    const share = Math.ceil(64 / (count + 1));
    for (const inFlight of Object.values(byStore)) expect(inFlight).toBeLessThanOrEqual(share);
    expect(fill(scheduler, [endpoint('quiet')]).quiet).toBeGreaterThanOrEqual(Math.min(4, Math.floor(share / 2)));
  });

  test('the slots for slow endpoints are shared in the same way', () => {
    const scheduler: Scheduler = deliveryScheduler(64);
    expect(Object.keys(fill(scheduler, several(50, 'hog', { failures: 1, store: 'a' }))).length).toBe(8);
    expect(fill(scheduler, [endpoint('quiet', { failures: 1 })])).toEqual({ quiet: 2 });
  });

  test('with more stores than slots, all slots are used', () => {
    const scheduler: Scheduler = deliveryScheduler(16);
    claim(scheduler, several(40, 'e'));
    expect(start(scheduler)).toHaveLength(16);
  });
});

test('a dropped claim frees its slot, and a requeued claim starts first', () => {
  const scheduler: Scheduler = deliveryScheduler(2);
  const a = endpoint('a');
  const claims = Array.from({ length: 3 }, () => ({ endpoint: a }));
  for (const each of claims) scheduler.add(each);
  expect(scheduler.next()).toBe(claims[0]);
  expect(scheduler.next()).toBeUndefined();
  scheduler.requeue(claims[0] as Claim);
  expect(scheduler.next()).toBe(claims[0]);
  scheduler.drop(claims[0] as Claim);
  expect(scheduler.next()).toBe(claims[1]);
  scheduler.finish(claims[1] as Claim, true, 5);
  expect(scheduler.next()).toBe(claims[2]);
  scheduler.finish(claims[2] as Claim, true, 5);
  expect([scheduler.isSaturated(), scheduler.next()]).toEqual([false, undefined]);
});
