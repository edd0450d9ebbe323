import { expect, test } from 'vitest';
import { lastDays } from './store-days.ts';

test('days run from midnight to midnight in the time zone of the store', () => {
  const days = lastDays(Date.parse('2026-09-27T22:30:00Z'), 'Europe/Moscow', 2);
  expect(days).toEqual([
    { date: '2026-09-27', from: Date.parse('2026-09-26T21:00:00Z'), to: Date.parse('2026-09-27T21:00:00Z') },
    { date: '2026-09-28', from: Date.parse('2026-09-27T21:00:00Z'), to: Date.parse('2026-09-28T21:00:00Z') },
  ]);
});

test.each([
  ['Europe/Berlin', '2026-10-25', 25],
  ['Europe/Berlin', '2026-03-29', 23],
  ['Asia/Kathmandu', '2026-03-29', 24],
  ['America/New_York', '2026-11-01', 25],
])('in %s %s has %i hours, and no gap on either side', (zone, date, hours) => {
  const days = lastDays(Date.parse(`${date}T12:00:00Z`) + 86_400_000, zone, 3);
  const day = days.find((each) => each.date === date);
  expect(day && (day.to - day.from) / 3_600_000).toBe(hours);
  expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
});
