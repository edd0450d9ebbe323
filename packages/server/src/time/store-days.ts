import { DAY } from './duration.ts';

export interface StoreDay {
  /** `2026-09-27` */
  date: string;
  from: number;
  to: number;
}

/** The last days up to and including today, each from midnight to midnight in the store's time zone. */
export function lastDays(now: number, timezone: string, count: number): StoreDay[] {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  /** Local time as if it were UTC. */
  const wall = (instant: number) => Date.parse(`${clock.format(instant).replace(', ', 'T')}Z`);
  const today = Math.floor(wall(now) / DAY) * DAY;
  /** The instant of a midnight. The offset may differ before and after it, hence two steps. */
  const midnight = (day: number) => {
    const first = day - (wall(day) - day);
    return day - (wall(first) - first);
  };
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * DAY;
    return { date: new Date(day).toISOString().slice(0, 10), from: midnight(day), to: midnight(day + DAY) };
  });
}
