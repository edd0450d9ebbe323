import { DAY, MINUTE } from './duration.ts';

const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+\- ])(\d{2}):(\d{2}))$/;

/**
 * Parses an RFC 3339 date-time. A space instead of `+` is accepted, because an offset that is not URL-encoded arrives
 * that way. Fractions of a millisecond are rounded up for a lower bound and down for an upper one, so that a filter never
 * includes what its text excludes.
 */
export function parseInstant(text: string, round: 'up' | 'down' = 'down'): number | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', , sign, offsetHour, offsetMinute] = match;
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // A leap second is valid and maps to the first instant of the next minute.
  const [h, m, s] = [parts[3], parts[4], parts[5]];
  if (h > 23 || m > 59 || s > 60 || (s === 60 && m !== 59)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(parts[0], parts[1] - 1, parts[2]);
  if (date.getUTCMonth() !== parts[1] - 1 || date.getUTCDate() !== parts[2]) return undefined;
  let offset = 0;
  if (sign) {
    const [oh, om] = [Number(offsetHour), Number(offsetMinute)];
    if (oh > 23 || om > 59) return undefined;
    offset = (sign === '-' ? -1 : 1) * (oh * 60 + om) * MINUTE;
  }
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const isFiner = /[1-9]/.test(fraction.slice(3));
  return date.getTime() + ((h * 60 + m) * 60 + s) * 1000 + ms - offset + (isFiner && round === 'up' ? 1 : 0);
}

/** No record is outside of this range, and dates beyond it have no four-digit year to parse. */
const FIRST_DAY = Date.parse('1970-01-02T00:00:00Z');
const LAST_DAY = Date.parse('9999-12-30T00:00:00Z');
const midnightOf = (date: string) => Math.min(Math.max(Date.parse(`${date}T00:00:00Z`), FIRST_DAY), LAST_DAY);

/** The first instant of a day (`2026-09-27`) in a time zone. */
export const startOfDay = (date: string, timezone: string) => startAt(midnightOf(date), timezone);

/** The last instant of a day in a time zone. */
export const endOfDay = (date: string, timezone: string) => startAt(midnightOf(date) + DAY, timezone) - 1;

function startAt(midnight: number, timezone: string): number {
  // The offset may differ at the first guess (DST); the second one is exact.
  const guess = midnight - offsetAt(midnight, timezone);
  return midnight - offsetAt(guess, timezone);
}

/** UTC offset of a zone in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const options = { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const;
  const local = new Intl.DateTimeFormat('sv-SE', options).format(instant);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}

/** UTC, milliseconds, `Z`. */
export const iso = (instant: number) => new Date(instant).toISOString();
