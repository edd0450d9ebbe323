import type { Actor } from '../../actor.ts';
import * as unfinished from '../../db/batches/unfinished-changes.ts';
import { lockClock, tick } from '../../db/clock/store-clock.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../../db/database.ts';
import { asUuid, uuid } from '../../db/uuid.ts';
import { type DomainError, FieldErrors, notFound } from '../../domain-error.ts';
import { differences, recordHistory } from '../../history/history.ts';
import { requireSameContent } from '../../http/if-match.ts';
import { requireBelowLimit } from '../../limits.ts';
import { nameKey, storedName } from '../../text/names.ts';
import { type Move, moveBatch, moveOrders, TooManyOrders } from './move-orders.ts';
import type { StatusRow, StatusTable } from './statuses.queries.ts';

/** What order statuses and payment statuses do differently. */
export interface StatusList<Row extends StatusRow, Fields extends { name?: string; isActive?: boolean }> {
  kind: 'order_status' | 'payment_status';
  /** For messages: 'order status'. */
  label: string;
  table: StatusTable<Row>;
  /** The field of an order that refers to these statuses. */
  orderField: Move['field'];
  /** The status as a response shows it. */
  view(row: Row): Record<string, unknown>;
  /** The row with the changed fields. */
  apply(row: Row, fields: Fields): Row;
  /** The names of the columns in the history. */
  historyFields: Record<string, string>;
  /** Whether orders show the status differently after these changes. */
  isShownInOrders(details: Record<string, unknown>): boolean;
  /** Throws if a system status may not be changed this way. */
  requireAllowed(before: Row, after: Row): void;
  /** Code of the status that the orders of a disabled one move to. */
  fallbackCode(row: Row): string;
  nameTaken(name: string, row: Partial<Row>): DomainError;
}

/** A requested change of a status and who made it. */
export interface StatusChange<Fields> {
  storeId: string;
  id: string;
  fields: Fields;
  actor: Actor;
  now: number;
  ifMatch?: string | undefined;
}

export async function createStatus<Row extends StatusRow>(
  db: Database,
  { kind, table, nameTaken }: StatusList<Row, never>,
  storeId: string,
  sent: { name: string } & Omit<Row, keyof StatusRow>,
  details: Record<string, unknown>,
  actor: Actor,
  now: number,
): Promise<Row> {
  const name = storedName(sent.name);
  const row = { ...sent, id: uuid(now), name };
  return db.transaction(async (tx) => {
    // Each gets its own position after the last.
    await lockClock(tx, storeId);
    requireBelowLimit(`${kind}es`, await table.count(tx, storeId));
    const created = await table.insert(tx, storeId, row, nameKey(name));
    if (!created) throw nameTaken(name, row as Partial<Row>);
    const subject = { kind, id: created.id, name };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details, at: now });
    return created;
  });
}

/** Disabling also moves the orders of the status to its fallback, atomically. */
export async function changeStatus<Row extends StatusRow, Fields extends { name?: string; isActive?: boolean }>(
  db: Database,
  list: StatusList<Row, Fields>,
  { storeId, id: sentId, fields: sent, actor, now, ifMatch }: StatusChange<Fields>,
): Promise<Row> {
  const { kind, label, table, orderField } = list;
  const id = asUuid(sentId);
  if (!id) throw notFound(label);
  const fields = sent.name === undefined ? sent : { ...sent, name: storedName(sent.name) };
  let before: Row | undefined;

  const apply = async (tx: Transaction) => {
    await lockClock(tx, storeId);
    before = await table.find(tx, storeId, id);
    if (!before) throw notFound(label);
    requireSameContent(label, ifMatch, list.view(before));
    const after = list.apply(before, fields);
    const details = differences(before, after, list.historyFields);
    if (!details) return before;
    list.requireAllowed(before, after);
    await table.update(tx, storeId, after, nameKey(after.name));
    const subject = { kind, id, name: after.name };
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    if (before.is_active && !after.is_active) {
      const fallback = await table.withCode(tx, storeId, list.fallbackCode(before));
      if (!fallback) throw new Error(`store ${storeId} has no ${label} ${list.fallbackCode(before)}`);
      await moveOrders(tx, { storeId, field: orderField, from: id, to: fallback.id, actor, now });
      await unfinished.remove(tx, { kind, storeId, id });
    } else if (list.isShownInOrders(details)) {
      await tick(tx, storeId, now);
    }
    return after;
  };

  const change = { kind, storeId, id, fields, actor, now };
  try {
    return await moveInBatches(db, change, () => db.transaction(apply, { isLong: fields.isActive === false }));
  } catch (error) {
    if (isTaken(error, `${kind}es.name_key`)) throw list.nameTaken(fields.name ?? '', before ?? {});
    throw error;
  }
}

/**
 * Applies a change that may disable a status with any number of orders. On an engine with one writer, moving very many
 * orders would block all other stores, so they are moved in batches first, with other writes in between; the last
 * transaction moves the rest and disables the status. Until then the status stays active, so no order is ever in a
 * disabled status. The change is recorded first, and resumed at the next start if this process dies:
 * docs/decisions/moving-orders.md.
 */
async function moveInBatches<Result>(
  db: Database,
  change: unfinished.UnfinishedChange,
  apply: () => Promise<Result>,
): Promise<Result> {
  for (let isRecorded = false; ; isRecorded = true) {
    try {
      return await apply();
    } catch (error) {
      if (!(error instanceof TooManyOrders)) {
        // The caller gets the error, so the change must not be resumed at the next start.
        if (isRecorded) await unfinished.remove(db, change);
        throw error;
      }
      await db.transaction((tx) => unfinished.record(tx, change));
      const options = { isLong: true, storeId: change.storeId };
      while (await db.transaction((tx) => moveBatch(tx, error.move), options));
    }
  }
}

/** Sorts the statuses, of a group if there are groups; `ids` must name each of them once. */
export async function sortStatuses<Row extends StatusRow>(
  db: Database,
  { table }: StatusList<Row, never>,
  storeId: string,
  ids: readonly string[],
  group?: Parameters<StatusTable<Row>['listGroup']>[2],
) {
  const sorted = ids.map((id) => asUuid(id) ?? '');
  await db.transaction(async (tx) => {
    await lockClock(tx, storeId);
    const known = new Set((await table.listGroup(tx, storeId, group)).map(({ id }) => id));
    const isEachOnce = sorted.length === known.size && new Set(sorted).size === known.size;
    const fieldErrors = new FieldErrors();
    if (!isEachOnce || !sorted.every((id) => known.has(id)))
      fieldErrors.add('/ids', 'not_allowed', 'must name every status of the list once; it may have changed meanwhile');
    fieldErrors.throwIfAny();
    await table.sort(
      tx,
      storeId,
      sorted.map((id, position) => ({ id, position })),
    );
  });
}

/** The status that the orders of this one move to if it is disabled. */
export async function fallbackFor<Row extends StatusRow>(
  db: Queryable,
  { table, label, fallbackCode }: StatusList<Row, never>,
  storeId: string,
  id: string,
): Promise<Row> {
  const statuses = await table.list(db, storeId);
  const status = statuses.find((each) => each.id === asUuid(id));
  const fallback = status && statuses.find(({ code }) => code === fallbackCode(status));
  if (!fallback) throw notFound(label);
  return fallback;
}
