import { describe, expect, test } from 'vitest';
import { type Contender, turns } from './delivery-scheduler.ts';

interface Claim {
  endpoint: Contender;
}
type Turns = ReturnType<typeof turns<Claim>>;

/** Of a store of its own, unless told otherwise. */
const endpoint = (id: string, { failures = 0, store = `store of ${id}` } = {}): Contender => ({
  store_id: store,
  id,
  consecutive_failures: failures,
});
const several = (count: number, name: string, options?: Parameters<typeof endpoint>[1]) =>
  Array.from({ length: count }, (_, index) => endpoint(`${name}${10 + index}`, options));

const takes = (turn: Turns, due: readonly Contender[]) =>
  Object.fromEntries(turn.pick(due).map(({ endpoint: { id }, take }) => [id, take]));

/** Claims all that may be. */
function claim(turn: Turns, due: readonly Contender[]) {
  for (const { endpoint, take } of turn.pick(due)) for (let count = 0; count < take; count++) turn.add({ endpoint });
}

/** Starts all that may start, in order. */
function start(turn: Turns): Claim[] {
  const started: Claim[] = [];
  for (let claim = turn.next(); claim; claim = turn.next()) started.push(claim);
  return started;
}

const idsOf = (claims: readonly Claim[]) => claims.map(({ endpoint }) => endpoint.id);
const countsOf = (ids: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};
const fill = (turn: Turns, due: readonly Contender[]) => {
  claim(turn, due);
  return countsOf(idsOf(start(turn)));
};

/** One attempt after another that ends fast and well. */
function prove(turn: Turns, each: Contender, times: number, ms = 5) {
  for (let count = 0; count < times; count++) {
    turn.add({ endpoint: each });
    turn.ended(turn.next() as Claim, true, ms);
  }
}

describe('an endpoint', () => {
  test('that is not known gets four attempts in flight, one that was failing two', () => {
    expect(fill(turns(), [endpoint('a'), endpoint('b', { failures: 3 })])).toEqual({ a: 4, b: 2 });
  });

  test('that responds fast gets more and more, up to 32, and as much again to send next', () => {
    const turn: Turns = turns();
    const a = endpoint('a');
    prove(turn, a, 10);
    expect(takes(turn, [a])).toEqual({ a: 14 * 32 });
    prove(turn, a, 100);
    expect(takes(turn, [a])).toEqual({ a: 32 * 32 });
    expect(fill(turn, [a])).toEqual({ a: 32 });
    expect(fill(turn, [a])).toEqual({});
  });

  test.each([
    [100, 5],
    [300, 1],
    [900, 1],
  ])('that responds in %i ms is claimed for no more than can be sent in half a second', (ms, times) => {
    const turn: Turns = turns();
    prove(turn, endpoint('a'), 100, ms);
    expect(takes(turn, [endpoint('a')])).toEqual({ a: 32 * times });
  });

  test.each([
    ['fails', false, 5],
    ['is slow', true, 1500],
  ])('that %s gets half as many, and never fewer than two', (_name, isSuccess, ms) => {
    const turn: Turns = turns();
    const a = endpoint('a', { failures: isSuccess ? 0 : 1 });
    prove(turn, endpoint('a'), 28);
    const limits: number[] = [];
    for (let count = 0; count < 6; count++) {
      turn.add({ endpoint: a });
      turn.ended(turn.next() as Claim, isSuccess, ms);
      for (let added = 0; added < 40; added++) turn.add({ endpoint: a });
      const started = start(turn);
      limits.push(started.length);
      turn.takeBack(() => true);
      for (const each of started) turn.ended(each, isSuccess, ms);
    }
    expect(limits).toEqual([16, 2, 2, 2, 2, 2]);
  });

  test('whose claims were given back is claimed for no more than it may have in flight, until it responds', () => {
    const turn: Turns = turns();
    const a = endpoint('a');
    prove(turn, a, 100);
    claim(turn, [a]);
    expect(turn.isSaturated()).toBe(false);
    const [first] = start(turn);
    expect(turn.isSaturated()).toBe(true);
    expect(takes(turn, [a])).toEqual({});
    expect(turn.takeBack(() => true)).toHaveLength(31 * 32);
    expect([takes(turn, [a]), turn.isSaturated()]).toEqual([{}, false]);
    turn.ended(first as Claim, true, 5);
    expect(takes(turn, [a])).toEqual({ a: 31 * 32 + 1 });
  });
});

describe('between endpoints', () => {
  test('those that had to wait are claimed for first the next time', () => {
    const turn: Turns = turns(1);
    const due = several(34, 'e');
    const ids = due.map(({ id }) => id);
    const first = turn.pick(due);
    expect(idsOf(first)).toEqual(ids.slice(0, 32));
    for (const { endpoint } of first) turn.add({ endpoint });
    turn.takeBack(() => true);
    expect(idsOf(turn.pick(due))).toEqual([...ids.slice(32), ...ids.slice(0, 30)]);
  });

  test('of one store starts take turns, wherever the last round ended', () => {
    const turn: Turns = turns(8);
    const due = several(8, 'e', { store: 's' });
    claim(turn, due);
    const inFlight = start(turn);
    const started = idsOf(inFlight);
    for (let rounds = 0; rounds < 12; rounds++) {
      turn.ended(inFlight.shift() as Claim, true, 100);
      const next = start(turn);
      inFlight.push(...next);
      started.push(...idsOf(next));
    }
    expect(started).toHaveLength(16);
    expect(countsOf(started)).toEqual(Object.fromEntries(due.map(({ id }) => [id, 2])));
  });

  test('slow ones, however many, leave half of the attempts in flight to the others', () => {
    const turn: Turns = turns(20);
    const slow = several(50, 'slow', { failures: 1 });
    const started = Object.values(fill(turn, slow)).reduce((sum, count) => sum + count, 0);
    expect([9, 10]).toContain(started);
    const quick = several(10, 'quick');
    expect(Object.keys(fill(turn, [...slow, ...quick])).sort()).toEqual(quick.map(({ id }) => id));
  });
});

describe('between stores', () => {
  test('one with twenty busy endpoints and one with a single endpoint start alternately', () => {
    const turn: Turns = turns(12);
    const busy = several(20, 'busy', { store: 'a' });
    const quiet = endpoint('quiet', { store: 'b' });
    for (let round = 0; round < 4; round++) for (const each of busy) turn.add({ endpoint: each });
    for (let count = 0; count < 4; count++) turn.add({ endpoint: quiet });
    const started = start(turn).map(({ endpoint }) => endpoint.store_id);
    expect(started).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
  });

  test('claims are shared evenly, not by the number of endpoints', () => {
    const turn: Turns = turns(4);
    const busy = several(20, 'busy', { store: 'a' });
    const quiet = endpoint('quiet', { store: 'b' });
    for (const each of [...busy, quiet]) prove(turn, each, 100);
    const shares = takes(turn, [...busy, quiet]);
    const { quiet: theirs, ...ours } = shares;
    const sum = Object.values(ours).reduce((total, count) => total + count, 0);
    expect(theirs).toBeGreaterThanOrEqual(sum / 2);
  });

  test.each([1, 2, 3, 7])('%i that fill what they can leave room for another', (count) => {
    const turn: Turns = turns(64);
    const hogs = Array.from({ length: count }, (_, store) =>
      several(20, `hog${store}-`, { store: `hog${store}` }),
    ).flat();
    for (const each of hogs) for (let added = 0; added < 10; added++) turn.add({ endpoint: each });
    const byStore = countsOf(start(turn).map(({ endpoint }) => endpoint.store_id));
    const share = Math.ceil(64 / (count + 1));
    for (const inFlight of Object.values(byStore)) expect(inFlight).toBeLessThanOrEqual(share);
    expect(fill(turn, [endpoint('quiet')]).quiet).toBeGreaterThanOrEqual(Math.min(4, Math.floor(share / 2)));
  });

  test('the slow half is shared in the same way', () => {
    const turn: Turns = turns(64);
    expect(Object.keys(fill(turn, several(50, 'hog', { failures: 1, store: 'a' }))).length).toBe(8);
    expect(fill(turn, [endpoint('quiet', { failures: 1 })])).toEqual({ quiet: 2 });
  });

  test('many more stores than may be in flight use all there is', () => {
    const turn: Turns = turns(16);
    claim(turn, several(40, 'e'));
    expect(start(turn)).toHaveLength(16);
  });
});

test('what was not sent makes room again, and what is put back starts first', () => {
  const turn: Turns = turns(2);
  const a = endpoint('a');
  const claims = Array.from({ length: 3 }, () => ({ endpoint: a }));
  for (const each of claims) turn.add(each);
  expect(turn.next()).toBe(claims[0]);
  expect(turn.next()).toBeUndefined();
  turn.putBack(claims[0] as Claim);
  expect(turn.next()).toBe(claims[0]);
  turn.dropped(claims[0] as Claim);
  expect(turn.next()).toBe(claims[1]);
  turn.ended(claims[1] as Claim, true, 5);
  expect(turn.next()).toBe(claims[2]);
  turn.ended(claims[2] as Claim, true, 5);
  expect([turn.isSaturated(), turn.next()]).toEqual([false, undefined]);
});
