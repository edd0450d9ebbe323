import { expect, test } from 'vitest';
import { changedView, daysOf, toQuery } from './view.ts';

/** 00:30 on 1 March in Moscow, still 28 February in UTC. */
const now = Date.parse('2027-02-28T21:30:00Z');

test.each([
  ['today', '2027-03-01', '2027-03-01'],
  ['yesterday', '2027-02-28', '2027-02-28'],
  ['last7', '2027-02-23', '2027-03-01'],
  ['last30', '2027-01-31', '2027-03-01'],
  ['thisMonth', '2027-03-01', '2027-03-01'],
  ['lastMonth', '2027-02-01', '2027-02-28'],
] as const)('%s in the zone of the store', (period, from, to) => {
  expect(daysOf(period, 'Europe/Moscow', now)).toEqual({ from, to });
});

test('the last month of January is December', () => {
  expect(daysOf('lastMonth', 'UTC', Date.parse('2027-01-31T12:00:00Z'))).toEqual({
    from: '2026-12-01',
    to: '2026-12-31',
  });
});

test('a view becomes a query', () => {
  expect(toQuery({ view: 'x', status: 'new', order: 'updatedAt:asc' }, 'UTC')).toEqual({
    status: 'new',
    order: 'updatedAt:asc',
  });
  expect(Object.keys(toQuery({ period: 'today' }, 'UTC'))).toEqual(['from', 'to']);
  expect(changedView({ status: 'new', q: 'x' }, { status: undefined })).toEqual({ q: 'x' });
});
