import { findStore } from '../accounts/stores.ts';
import { asUuid } from '../db/uuid.ts';
import { listRequests, parseStatus } from '../requests/find-requests.ts';
import { iso } from '../time/instant.ts';
import { print, UsageError } from './output.ts';
import { withServices } from './session.ts';

interface LogOptions {
  store: string;
  key?: string;
  status?: string;
  requestId?: string;
  limit: string;
  json?: boolean;
}

export const requestLog = ({ store, key, status, requestId, limit, json }: LogOptions) =>
  withServices(async (services) => {
    const statuses = status === undefined ? undefined : parseStatus(status);
    if (status !== undefined && !statuses)
      throw new UsageError(`Unknown status ${status}; use one such as 422 or 4xx.`);
    const keyId = key === undefined ? undefined : asUuid(key);
    if (key !== undefined && !keyId) throw new UsageError(`${key} is not the id of a key; see: store-sales key list.`);
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit must be a number of lines, at most 999999.');
    const { id } = await findStore(services.db, store);
    const { rows } = await listRequests(services, id, { keyId, statuses, requestId }, { limit: Number(limit) });
    print(
      rows.map((row) => ({
        at: iso(row.received_at),
        keyId: row.key_id,
        method: row.method,
        route: row.route,
        status: Number(row.status),
        code: row.code,
        durationMs: Number(row.duration_ms),
        requestId: row.request_id,
        query: row.query,
      })),
      json,
    );
  });
