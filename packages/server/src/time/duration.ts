export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, y: YEAR };

/** Parses `90d` to milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhdy])$/.exec(text) ?? [];
  return count && unit ? Number(count) * units[unit as keyof typeof units] : undefined;
}
