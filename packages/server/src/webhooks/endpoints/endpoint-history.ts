import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import { type Action, type Details, recordHistory } from '../../history/history.ts';

export const recordEndpointHistory = (
  tx: Transaction,
  endpoint: { store_id: string; id: string; url: string },
  action: Action,
  actor: Actor,
  at: number,
  details: Details = {},
) =>
  recordHistory(tx, {
    scopeId: endpoint.store_id,
    actor,
    action,
    subject: { kind: 'endpoint', id: endpoint.id, name: endpoint.url },
    details,
    at,
  });
