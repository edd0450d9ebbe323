import { endpoints } from '@store-sales/contract';
import type { LoggedRequest, RequestFilter } from '@store-sales/contract/console';
import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import { endOfDay, iso, startOfDay } from '../time/instant.ts';
import { lastDays } from '../time/store-days.ts';
import { countRequests, findRequest, listRequests, parseStatus, type RequestCriteria } from './find-requests.ts';
import type { LogRow } from './requests.queries.ts';

const routes = [...Object.values(endpoints).map(({ method, path }) => `${method} ${path}`), 'POST /mcp'].sort();

export function requestConsoleRoutes(services: Services): ConsoleHandlersAt<'/stores/{storeId}/requests'> {
  const keptDays = services.config.REQUEST_LOG_DAYS;
  return {
    async 'GET /stores/{storeId}/requests'({ store, query: { cursor, ...filter } }) {
      const found = await listRequests(services, store.id, criteriaOf(filter, store.timezone), { cursor });
      return { body: { requests: found.rows.map(view), nextCursor: found.nextCursor } };
    },
    async 'GET /stores/{storeId}/requests/counts'({ store, query, now }) {
      const criteria = criteriaOf(query, store.timezone);
      const { from = 0, to = now } = criteria;
      // The first of the kept days is the rest of a day.
      const days = lastDays(now, store.timezone, keptDays + 1).filter((day) => day.to > from && day.from <= to);
      return { body: { keptDays, routes, ...(await countRequests(services, store.id, criteria, days)) } };
    },
    async 'GET /stores/{storeId}/requests/{lineId}'({ store, params }) {
      const row = await findRequest(services.db, store.id, params.lineId);
      const problem = row.problem === null ? null : (JSON.parse(row.problem) as Record<string, unknown>);
      return { body: { ...view(row), address: row.address, query: row.query, problem } };
    },
  };
}

const criteriaOf = (
  { key, status, method, route, requestId, from, to }: RequestFilter,
  timezone: string,
): RequestCriteria => ({
  keyId: key?.toLowerCase(),
  statuses: status === undefined ? undefined : parseStatus(status),
  method,
  route,
  requestId,
  from: from === undefined ? undefined : startOfDay(from, timezone),
  to: to === undefined ? undefined : endOfDay(to, timezone),
});

const view = (row: LogRow): LoggedRequest => ({
  id: row.id,
  at: iso(row.received_at),
  key: { id: row.key_id, name: row.key_name },
  method: row.method,
  route: row.route,
  status: Number(row.status),
  code: row.code,
  durationMs: Number(row.duration_ms),
  requestId: row.request_id,
});
