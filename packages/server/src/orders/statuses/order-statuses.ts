import {
  type OrderStatus,
  type OrderStatusChange,
  type OrderStatusCreate,
  type StatusGroup,
  statusGroups,
} from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { DomainError } from '../../domain-error.ts';
import { type OrderStatusRow, orderStatuses } from './statuses.queries.ts';
import {
  changeStatus,
  createStatus,
  fallbackFor,
  type StatusChange,
  type StatusList,
  sortStatuses,
} from './statuses.ts';

const view = ({ id, code, name, status_group, is_active, sort_order }: OrderStatusRow): OrderStatus => ({
  id,
  code,
  name,
  group: status_group,
  isActive: is_active,
  sortOrder: sort_order,
});

const list: StatusList<OrderStatusRow, OrderStatusChange> = {
  kind: 'order_status',
  label: 'order status',
  table: orderStatuses,
  orderField: 'status',
  view,
  apply: (row, { name = row.name, isActive = row.is_active }) => ({ ...row, name, is_active: isActive }),
  historyFields: { name: 'name', is_active: 'isActive' },
  isShownInOrders: ({ name }) => name !== undefined,
  requireAllowed(before) {
    if (before.code !== null)
      throw new DomainError('system_record', `"${before.name}" is a system status: it cannot be renamed or disabled.`);
  },
  // The code of a group's main status is the name of the group.
  fallbackCode: ({ status_group: group }) => group,
  nameTaken: (name, { status_group: group }) =>
    new DomainError('name_taken', `The group ${group} already has a status named "${name}".`),
};

/** By group in workflow order, then by `sortOrder`. */
export async function listOrderStatuses(db: Queryable, storeId: string): Promise<OrderStatus[]> {
  const rows = await orderStatuses.list(db, storeId);
  return statusGroups.flatMap((group) => rows.filter((row) => row.status_group === group)).map(view);
}

export const createOrderStatus = async (
  db: Database,
  storeId: string,
  { group, name }: OrderStatusCreate,
  actor: Actor,
  now: number,
): Promise<OrderStatus> =>
  view(await createStatus(db, list, storeId, { name, status_group: group }, { group }, actor, now));

/** Disabling moves the orders of the status to the main status of its group. */
export const changeOrderStatus = async (db: Database, change: StatusChange<OrderStatusChange>): Promise<OrderStatus> =>
  view(await changeStatus(db, list, change));

/** Sorts the statuses of a group. System statuses may be in any position. */
export async function sortOrderStatuses(db: Database, storeId: string, group: StatusGroup, ids: readonly string[]) {
  await sortStatuses(db, list, storeId, ids, group);
  return listOrderStatuses(db, storeId);
}

export const fallbackForOrderStatus = (db: Queryable, storeId: string, id: string) =>
  fallbackFor(db, list, storeId, id);
