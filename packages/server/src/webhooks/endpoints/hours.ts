import type { Services } from '../../services.ts';
import { HOUR } from '../../time/duration.ts';
import * as queries from './hours.queries.ts';

const HOURS = 24;

export interface HealthByHour {
  attempts: number;
  /** From 0 to 1; null when nothing was sent. */
  successShare: number | null;
  averageMs: number | null;
  slowestMs: number | null;
  /** The last 24 hours including the current one, oldest first. */
  hours: { at: number; attempts: number; successes: number; averageMs: number }[];
}

/** Figures of the last 24 hours for a store; the returned function selects an endpoint by id. */
export async function healthOfStore({ db, now }: Services, storeId: string): Promise<(id: string) => HealthByHour> {
  const first = Math.floor(now() / HOUR) * HOUR - (HOURS - 1) * HOUR;
  const rows = await queries.hoursOf(db, storeId, first);
  return (id) =>
    health(
      first,
      rows.filter((row) => row.endpoint_id === id),
    );
}

function health(first: number, rows: readonly queries.HourRow[]): HealthByHour {
  const byHour = new Map(rows.map((row) => [row.hour_at, row]));
  const hours = Array.from({ length: HOURS }, (_, index) => {
    const at = first + index * HOUR;
    const { attempts = 0, successes = 0, total_ms = 0 } = byHour.get(at) ?? {};
    return { at, attempts, successes, averageMs: attempts ? Math.round(total_ms / attempts) : 0 };
  });
  const sum = (value: (row: queries.HourRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  const attempts = sum((row) => row.attempts);
  return {
    attempts,
    successShare: attempts ? sum((row) => row.successes) / attempts : null,
    averageMs: attempts ? Math.round(sum((row) => row.total_ms) / attempts) : null,
    slowestMs: attempts ? Math.max(...rows.map((row) => row.slowest_ms)) : null,
    hours,
  };
}
