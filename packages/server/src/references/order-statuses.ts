import {
  type OrderStatus,
  type OrderStatusChange,
  type OrderStatusCreate,
  type StatusGroup,
  statusGroups,
} from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import { tick } from '../db/clock.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { differences, recordHistory } from '../history/history.ts';
import { MAX_REFERENCES, requireBelowLimit } from '../limits.ts';
import { nameKey, storedName } from '../names.ts';
import { notFound, Refusal } from '../refusal.ts';
import { sortPositions } from './arrangement.ts';
import { moveInBatches, type OrderMover } from './moving.ts';
import * as queries from './statuses.queries.ts';
import { finish } from './unfinished.queries.ts';

/** A requested change of a status and who made it. */
export interface Change<Fields> {
  storeId: string;
  id: string;
  fields: Fields;
  actor: Actor;
  now: number;
}

/** By group in workflow order, then by `sortOrder`. */
export async function listOrderStatuses(db: Queryable, storeId: string): Promise<OrderStatus[]> {
  const rows = await queries.listOrderStatuses(db, storeId);
  return statusGroups.flatMap((group) => rows.filter((row) => row.status_group === group)).map(shown);
}

export async function createOrderStatus(
  db: Database,
  storeId: string,
  { group, name: sent }: OrderStatusCreate,
  actor: Actor,
  now: number,
): Promise<OrderStatus> {
  const name = storedName(sent);
  return db.transaction(async (tx) => {
    // Serialized, so that each gets its own position after the last.
    await tx.lock(storeId, ['order-statuses']);
    requireBelowLimit(await queries.countOrderStatuses(tx, storeId), MAX_REFERENCES, 'store', 'order statuses');
    const created = await queries.insertOrderStatus(tx, storeId, { id: uuid(now), name, key: nameKey(name), group });
    if (!created) throw nameTaken(name, group);
    const subject = { kind: 'order_status', id: created.id, name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details: { group }, at: now });
    return shown(created);
  });
}

/** Disabling also moves the orders of the status to the main status of its group, atomically. */
export async function changeOrderStatus(
  db: Database,
  moving: OrderMover,
  change: Change<OrderStatusChange>,
): Promise<OrderStatus> {
  const { storeId, fields, actor, now } = change;
  const wanted = asUuid(change.id);
  if (!wanted) throw notFound('order status');
  const name = fields.name === undefined ? undefined : storedName(fields.name);
  let group = '';
  const apply = async (tx: Transaction) => {
    const status = await queries.lockOrderStatus(tx, storeId, wanted);
    if (!status) throw notFound('order status');
    group = status.status_group;
    const changed = { ...status, name: name ?? status.name, is_active: fields.isActive ?? status.is_active };
    const details = differences(status, changed, { name: 'name', is_active: 'isActive' });
    if (!details) return shown(status);
    if (status.code !== null)
      throw new Refusal('system_record', `"${status.name}" is a system status: it cannot be renamed or disabled.`);
    await queries.updateOrderStatus(tx, storeId, changed, nameKey(changed.name));
    const subject = { kind: 'order_status', id: status.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    if (status.is_active && !changed.is_active) {
      const main = await queries.orderStatusOf(tx, storeId, group);
      if (!main) throw new Error(`group ${group} of store ${storeId} has no main status`);
      await moving.moveOrders(tx, { storeId, field: 'status', from: status.id, to: main.id, actor, now });
      await finish(tx, storeId, status.id);
    } else if (details.name) {
      // The orders of the status show its new name from here on.
      await tick(tx, storeId, now);
    }
    return shown(changed);
  };
  const begun = { kind: 'order_status', storeId, id: wanted, fields, actor, now } as const;
  return moveInBatches(db, moving, begun, () => db.transaction(apply, { isLong: fields.isActive === false })).catch(
    (error: unknown) => {
      if (isTaken(db, error)) throw nameTaken(name ?? '', group);
      throw error;
    },
  );
}

/** Sorts the statuses of a group; `ids` must name each of them once. System statuses may be in any position. */
export async function arrangeOrderStatuses(db: Database, storeId: string, group: StatusGroup, ids: readonly string[]) {
  await db.transaction(async (tx) => {
    const found = await queries.lockOrderStatuses(tx, storeId, group);
    await queries.arrangeOrderStatuses(tx, storeId, sortPositions(found, ids));
  });
  return listOrderStatuses(db, storeId);
}

/** The status that orders move to when theirs is disabled: the main status of its group. */
export async function fallbackForOrderStatus(db: Queryable, storeId: string, id: string): Promise<OrderStatus> {
  const statuses = await listOrderStatuses(db, storeId);
  const status = statuses.find((each) => each.id === asUuid(id));
  const main = statuses.find(({ code }) => code !== null && code === status?.group);
  if (!main) throw notFound('order status');
  return main;
}

const nameTaken = (name: string, group: string) =>
  new Refusal('name_taken', `The group ${group} has a status named "${name}" already.`);

const shown = ({ id, code, name, status_group, is_active, sort_order }: queries.OrderStatusRow): OrderStatus => ({
  id,
  code,
  name,
  group: status_group,
  isActive: is_active,
  sortOrder: sort_order,
});
