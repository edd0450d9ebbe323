import { describe, expect, test } from 'vitest';
import { turns } from './turns.ts';

const endpoint = (id: string, failures = 0) => ({ id, consecutive_failures: failures });
type Turns = ReturnType<typeof turns>;

/** Takes all that may be, starts of each endpoint one after another, and tells how many of each. */
function fill(turn: Turns, due: ReturnType<typeof endpoint>[]) {
  const started: Record<string, number> = {};
  const picked = turn.pick(due);
  for (const { endpoint: each, take } of picked) for (let count = 0; count < take; count++) turn.took(each);
  for (let round = 0; round < 100; round++)
    for (const {
      endpoint: { id },
      take,
    } of picked) {
      if (round >= take || !turn.mayStart(id)) continue;
      turn.started(id);
      started[id] = (started[id] ?? 0) + 1;
    }
  return started;
}
/** One attempt after another that ends fast and well. */
function prove(turn: Turns, id: string, times: number, ms = 5) {
  for (let count = 0; count < times; count++) {
    turn.took(endpoint(id));
    turn.started(id);
    turn.ended(id, true, ms);
  }
}
const takes = (turn: Turns, due: ReturnType<typeof endpoint>[]) =>
  Object.fromEntries(turn.pick(due).map(({ endpoint: { id }, take }) => [id, take]));

describe('an endpoint', () => {
  test('that is not known gets four places, one that was failing two', () => {
    expect(fill(turns(), [endpoint('a'), endpoint('b', 3)])).toEqual({ a: 4, b: 2 });
  });

  test('that answers fast gets more and more, up to 32, and as much again to send next', () => {
    const turn = turns();
    prove(turn, 'a', 10);
    expect(takes(turn, [endpoint('a')])).toEqual({ a: 14 * 32 });
    prove(turn, 'a', 100);
    expect(takes(turn, [endpoint('a')])).toEqual({ a: 32 * 32 });
    expect(fill(turn, [endpoint('a')])).toEqual({ a: 32 });
    expect(fill(turn, [endpoint('a')])).toEqual({});
  });

  test.each([
    [100, 5],
    [300, 1],
    [900, 1],
  ])('that answers in %i ms has no more in hand than it can be sent in half a second', (ms, times) => {
    const turn = turns();
    prove(turn, 'a', 100, ms);
    expect(takes(turn, [endpoint('a')])).toEqual({ a: 32 * times });
  });

  test.each([
    ['fails', false, 5],
    ['is slow', true, 1500],
  ])('that %s gets half as many, and never fewer than two', (_name, isSuccess, ms) => {
    const turn = turns();
    prove(turn, 'a', 28);
    const limits: number[] = [];
    const same = endpoint('a', isSuccess ? 0 : 1);
    for (let count = 0; count < 6; count++) {
      turn.took(same);
      turn.started('a');
      turn.ended('a', isSuccess, ms);
      turn.took(same);
      let started = 0;
      for (; turn.mayStart('a'); started++) {
        turn.started('a');
        turn.took(same);
      }
      turn.dropped('a');
      limits.push(started);
      for (; started; started--) turn.ended('a', isSuccess, ms);
    }
    expect(limits).toEqual([16, 2, 2, 2, 2, 2]);
  });
});

describe('between endpoints', () => {
  test('places are shared evenly when there are not enough', () => {
    const turn = turns(8);
    const due = Array.from({ length: 8 }, (_, index) => endpoint(`e${index}`));
    expect(fill(turn, due)).toEqual(Object.fromEntries(due.map(({ id }) => [id, 1])));
  });

  test('those that had to wait come first the next time', () => {
    const turn = turns(1);
    const ids = Array.from({ length: 34 }, (_, index) => `e${10 + index}`);
    const due = ids.map((id) => endpoint(id));
    const first = Object.keys(takes(turn, due));
    expect(first).toEqual(ids.slice(0, 32));
    for (const id of first) turn.took(endpoint(id));
    for (const id of first) turn.dropped(id);
    expect(Object.keys(takes(turn, due))).toEqual([...ids.slice(32), ...ids.slice(0, 30)]);
  });

  test('slow ones, however many, leave half of the places to the others', () => {
    const turn = turns(20);
    const slow = Array.from({ length: 50 }, (_, index) => endpoint(`slow${index}`, 1));
    const started = fill(turn, slow);
    expect(Object.values(started).reduce((sum, count) => sum + count, 0)).toBe(10);
    const quick = Array.from({ length: 10 }, (_, index) => endpoint(`quick${index}`));
    expect(Object.keys(fill(turn, [...slow, ...quick])).sort()).toEqual(quick.map(({ id }) => id));
  });

  test('places come back when attempts end, and when a delivery is given up', () => {
    const turn = turns(2);
    expect(fill(turn, [endpoint('a')])).toEqual({ a: 2 });
    expect(turn.mayStart('a')).toBe(false);
    turn.ended('a', true, 5);
    expect(turn.mayStart('a')).toBe(true);
    turn.dropped('a');
    turn.ended('a', true, 5);
    expect(takes(turn, [endpoint('b')])).toEqual({ b: 4 });
  });
});
