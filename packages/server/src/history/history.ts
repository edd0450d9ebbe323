import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { CursorScope } from '../db/lists/cursor.ts';
import { uuid } from '../db/uuid.ts';
import type { Services } from '../services.ts';
import * as queries from './history.queries.ts';

/** Kinds of records in the history. */
export type SubjectKind =
  | 'store'
  | 'key'
  | 'endpoint'
  | 'order_status'
  | 'payment_status'
  | 'payment_type'
  | 'delivery_type'
  | 'warehouse'
  | 'product'
  | 'category'
  | 'customer'
  | 'import'
  | 'promo_code'
  | 'member'
  | 'account';

export type Action =
  | 'created'
  | 'changed'
  | 'deleted'
  | 'merged'
  | 'erased'
  | 'imported'
  | 'import_stopped'
  | 'plan_changed'
  | 'enabled'
  | 'disabled'
  | 'revoked'
  | 'rotated'
  | 'resent'
  | 'invited'
  | 'joined'
  | 'removed'
  | 'signed_in'
  | 'password_changed'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'second_factor_reset'
  | 'recovery_code_used'
  | 'recovery_codes_replaced'
  | 'password_reset';

/** A field's value before and after. */
export type Details = Record<string, unknown>;

export interface NewEntry {
  /** The store, or the owner for account events. */
  scopeId: string;
  actor: Actor;
  action: Action;
  subject: { kind: SubjectKind; id: string; name: string };
  details?: Details;
  at: number;
}

/**
 * Records a change in the same transaction as the change itself. Must never be given a secret. Returns the id of the
 * entry.
 */
export async function recordHistory(tx: Transaction, { scopeId, actor, action, subject, details = {}, at }: NewEntry) {
  const id = uuid(at);
  await queries.insert(tx, {
    scope_id: scopeId,
    id,
    actor_kind: actor.kind,
    actor_id: actor.id,
    action,
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_name: subject.name,
    details: JSON.stringify(details),
    created_at: at,
  });
  return id;
}

/** Updates the details of an entry whose change takes several transactions. */
export const updateHistory = (tx: Transaction, scopeId: string, id: string, details: Details) =>
  queries.setDetails(tx, scopeId, id, JSON.stringify(details));

/** `{ field: [before, after] }` for each changed field; undefined if none has changed. */
export function differences<Row extends object>(
  before: Row,
  after: Row,
  fields: { [Field in keyof Row]?: string },
): Details | undefined {
  const changed = (Object.keys(fields) as (keyof Row)[]).filter((field) => before[field] !== after[field]);
  if (!changed.length) return undefined;
  return Object.fromEntries(changed.map((field) => [fields[field], [before[field], after[field]]]));
}

export interface Entry {
  id: string;
  actor: Actor & { name: string };
  action: string;
  subject: { kind: string; id: string; name: string };
  details: Details;
  at: number;
}

export interface HistoryQuery {
  kinds?: readonly SubjectKind[] | undefined;
  /** `owner`, `system`, or the id of a key. */
  actor?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}

/** Entries of a scope that one statement looks at for a filter, which has no index: on SQLite it blocks other requests. */
const SLICE_SIZE = 5000;
/** Maximum slices of a page, which may then have fewer entries. */
const MAX_SLICES = 20;

/** The history of a store and of the reader's own account, newest first. */
export async function listHistory(
  { db, cursors }: Pick<Services, 'db' | 'cursors'>,
  { storeId, accountId }: { storeId: string; accountId: string },
  { kinds, actor, cursor, limit = 50 }: HistoryQuery,
  { sliceSize = SLICE_SIZE, maxSlices = MAX_SLICES } = {},
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const scope: CursorScope = { resource: 'history', storeId, order: 'createdAt:desc' };
  const scopeIds = [storeId, accountId];
  const filters: Pick<queries.HistoryQuery, 'subjectKinds' | 'actor'> = {
    subjectKinds: kinds,
    actor: actor === undefined ? undefined : actor === 'owner' || actor === 'system' ? { kind: actor } : { id: actor },
  };
  const isFiltered = kinds !== undefined || actor !== undefined;
  const rows: queries.ShownRow[] = [];
  let before = cursor === undefined ? undefined : (cursors.read(scope, cursor) as queries.Position);
  for (let slice = 1; ; slice++) {
    const upTo = isFiltered ? await endOfSlice(db, scopeIds, before, sliceSize) : undefined;
    rows.push(...(await queries.list(db, { scopeIds, ...filters, before, upTo, limit: limit + 1 - rows.length })));
    before = upTo;
    if (!upTo || rows.length > limit || slice === maxSlices) break;
    await nextIteration();
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const end = rows.length > limit && last ? ([last.created_at, last.id] as const) : before;
  return { entries: page.map(view), nextCursor: end ? cursors.write(scope, end) : null };
}

/** How far a slice reaches, so that it has at most so many entries of each scope; undefined if it has the last ones. */
async function endOfSlice(
  db: Queryable,
  scopeIds: readonly string[],
  before: queries.Position | undefined,
  size: number,
): Promise<queries.Position | undefined> {
  let newest: queries.Position | undefined;
  for (const scopeId of scopeIds) {
    const end = await queries.entryBefore(db, scopeId, before, size);
    if (end && (!newest || end[0] > newest[0] || (end[0] === newest[0] && end[1] > newest[1]))) newest = end;
  }
  return newest;
}

const view = (row: queries.ShownRow): Entry => ({
  id: row.id,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.key_name ?? row.owner_name ?? '' },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
  details: JSON.parse(row.details) as Details,
  at: row.created_at,
});
