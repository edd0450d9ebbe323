const offsetAt = (instant: number, timeZone: string) => {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - instant;
};

/** The first instant of a day such as `2026-01-31` in a time zone. */
function startOf(day: number, timeZone: string) {
  const near = day - offsetAt(day, timeZone);
  return day - offsetAt(near, timeZone);
}

export const firstInstant = (day: string, timeZone: string) =>
  new Date(startOf(Date.parse(day), timeZone)).toISOString();

/** The last millisecond of a day. */
export const lastInstant = (day: string, timeZone: string) =>
  new Date(startOf(Date.parse(day) + 86_400_000, timeZone) - 1).toISOString();
