import { columnTypes, type Engine, strict } from './frozen.ts';

/** Indexes, notices and hourly figures for the dispatcher and the delivery log. */
export const webhookCare = {
  name: 'webhook-care',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, text } = columnTypes[engine];
    const tableOfEndpoint = (name: string, key: string, columns: string) =>
      `create table ${name} (
         store_id ${uuid} not null,
         endpoint_id ${uuid} not null,
         ${columns},
         primary key (store_id, endpoint_id, ${key}),
         foreign key (store_id, endpoint_id) references webhook_endpoints (store_id, id)
       )${strict[engine]}`;
    return [
      // By endpoint first: the dispatcher goes from endpoint to endpoint, however many rows each has pending. The store
      // is included to make it the best index for `store and endpoint`.
      'drop index deliveries_due',
      "create index deliveries_queue on deliveries (endpoint_id, store_id, next_attempt_at) where status = 'pending'",
      // When it was delivered, failed, stopped or skipped: the retention of the log starts then.
      `alter table deliveries add column settled_at ${instant}`,
      "create index deliveries_settled on deliveries (settled_at) where status <> 'pending'",
      `create index deliveries_unsent on deliveries (store_id, endpoint_id, status, created_at, id)
       where status in ('failed', 'stopped', 'skipped')`,
      'create index webhook_endpoints_by_id on webhook_endpoints (id)',

      // Warnings before an endpoint is disabled, and when it is disabled and enabled, for the owner.
      tableOfEndpoint(
        'endpoint_notices',
        'id',
        `id ${uuid} not null,
         kind ${text} not null,
         failures ${integer} not null,
         created_at ${instant} not null`,
      ),
      'create index endpoint_notices_by_time on endpoint_notices (created_at)',
      // Attempts summed up by the hour: the health of an endpoint is read from 24 rows, however busy it is.
      tableOfEndpoint(
        'endpoint_hours',
        'hour_at',
        `hour_at ${instant} not null,
         attempts ${integer} not null,
         successes ${integer} not null,
         total_ms ${integer} not null,
         slowest_ms ${integer} not null`,
      ),
      'create index endpoint_hours_by_time on endpoint_hours (hour_at)',
    ];
  },
};
