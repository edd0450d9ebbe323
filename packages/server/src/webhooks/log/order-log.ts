import type { OrderDelivery } from '@store-sales/contract/console';
import { iso } from '../../instant.ts';
import type { Services } from '../../services.ts';
import { attemptsOf } from './log.queries.ts';
import * as queries from './order-log.queries.ts';

/** The deliveries of some events, by event id. */
export async function deliveriesOfEvents({ db, now }: Services, storeId: string, eventIds: readonly string[]) {
  const rows = await queries.deliveriesOfEvents(db, storeId, eventIds);
  const views = new Map<string, OrderDelivery>();
  const byEvent = new Map<string, OrderDelivery[]>();
  for (const row of rows) {
    const isInFlight = (row.leased_until_at ?? 0) > now();
    const view: OrderDelivery = {
      id: row.id,
      url: row.url,
      status: row.status,
      nextAttemptAt: row.next_attempt_at === null || isInFlight ? null : iso(row.next_attempt_at),
      attempts: [],
      canResend: row.is_active,
    };
    views.set(row.id, view);
    byEvent.set(row.event_id, [...(byEvent.get(row.event_id) ?? []), view]);
  }
  for (const attempt of await attemptsOf(db, rows))
    views.get(attempt.delivery_id)?.attempts.push({
      at: iso(attempt.started_at),
      durationMs: attempt.duration_ms,
      responseStatus: attempt.response_status,
      error: attempt.error,
    });
  return byEvent;
}
