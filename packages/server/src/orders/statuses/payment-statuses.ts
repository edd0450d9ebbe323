import type { PaymentStatus, PaymentStatusChange, PaymentStatusCreate } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { DomainError } from '../../domain-error.ts';
import { type PaymentStatusRow, paymentStatuses } from './statuses.queries.ts';
import {
  changeStatus,
  createStatus,
  fallbackFor,
  type StatusChange,
  type StatusList,
  sortStatuses,
} from './statuses.ts';

const DEFAULT_COLOR = '#9CA3AF';
/** Orders need these two: the default, and the one that means paid. */
const alwaysActive = ['unpaid', 'paid'];

const view = (row: PaymentStatusRow): PaymentStatus => ({
  id: row.id,
  code: row.code,
  name: row.name,
  isPaid: row.is_paid,
  isActive: row.is_active,
  sortOrder: row.sort_order,
  color: row.color,
});

const list: StatusList<PaymentStatusRow, PaymentStatusChange> = {
  kind: 'payment_status',
  label: 'payment status',
  table: paymentStatuses,
  orderField: 'paymentStatus',
  view,
  apply: (row, { name = row.name, isPaid = row.is_paid, color = row.color, isActive = row.is_active }) => ({
    ...row,
    name,
    is_paid: isPaid,
    color,
    is_active: isActive,
  }),
  historyFields: { name: 'name', is_paid: 'isPaid', color: 'color', is_active: 'isActive' },
  isShownInOrders: ({ name, isPaid }) => name !== undefined || isPaid !== undefined,
  requireAllowed(before, after) {
    if (before.code === null) return;
    const refuse = (rule: string) =>
      new DomainError('system_record', `"${before.name}" is a system payment status: it ${rule}.`);
    if (after.name !== before.name || after.is_paid !== before.is_paid || after.color !== before.color)
      throw refuse('cannot be edited');
    if (!after.is_active && alwaysActive.includes(before.code)) throw refuse('cannot be disabled');
  },
  fallbackCode: () => 'unpaid',
  nameTaken: (name) => new DomainError('name_taken', `The store already has a payment status named "${name}".`),
};

export const listPaymentStatuses = async (db: Queryable, storeId: string) =>
  (await paymentStatuses.list(db, storeId)).map(view);

export async function createPaymentStatus(
  db: Database,
  storeId: string,
  { name, isPaid = false, color = DEFAULT_COLOR }: PaymentStatusCreate,
  actor: Actor,
  now: number,
): Promise<PaymentStatus> {
  const fields = { name, is_paid: isPaid, color };
  return view(await createStatus(db, list, storeId, fields, { isPaid }, actor, now));
}

/** Disabling makes the orders of the status unpaid. */
export const changePaymentStatus = async (
  db: Database,
  change: StatusChange<PaymentStatusChange>,
): Promise<PaymentStatus> => view(await changeStatus(db, list, change));

export async function sortPaymentStatuses(db: Database, storeId: string, ids: readonly string[]) {
  await sortStatuses(db, list, storeId, ids);
  return listPaymentStatuses(db, storeId);
}

export const fallbackForPaymentStatus = (db: Queryable, storeId: string, id: string) =>
  fallbackFor(db, list, storeId, id);
