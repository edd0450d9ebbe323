import { expect, test } from 'vitest';
import { firstInstant, lastInstant } from './store-day.ts';

test.each([
  ['2026-01-31', 'Europe/Moscow', '2026-01-30T21:00:00.000Z', '2026-01-31T20:59:59.999Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ['2026-12-31', 'America/New_York', '2026-12-31T05:00:00.000Z', '2027-01-01T04:59:59.999Z'],
  ['2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
])('%s in %s', (day, zone, first, last) => {
  expect(firstInstant(day, zone)).toBe(first);
  expect(lastInstant(day, zone)).toBe(last);
});
