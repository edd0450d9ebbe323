import type { PaymentStatus, PaymentStatusChange, PaymentStatusCreate } from '@store-sales/contract';
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
import type { Change } from './order-statuses.ts';
import * as queries from './statuses.queries.ts';
import { finish } from './unfinished.queries.ts';

const DEFAULT_COLOR = '#9CA3AF';
/** Orders need these two: the default, and the one that means paid. */
const always = ['unpaid', 'paid'];

export const listPaymentStatuses = async (db: Queryable, storeId: string) =>
  (await queries.listPaymentStatuses(db, storeId)).map(shown);

export async function createPaymentStatus(
  db: Database,
  storeId: string,
  { name: sent, isPaid = false, color = DEFAULT_COLOR }: PaymentStatusCreate,
  actor: Actor,
  now: number,
): Promise<PaymentStatus> {
  const name = storedName(sent);
  const status = { id: uuid(now), name, key: nameKey(name), isPaid, color };
  return db.transaction(async (tx) => {
    // Serialized, so that each gets its own position after the last.
    await tx.lock(storeId, ['payment-statuses']);
    requireBelowLimit(await queries.countPaymentStatuses(tx, storeId), MAX_REFERENCES, 'store', 'payment statuses');
    const created = await queries.insertPaymentStatus(tx, storeId, status);
    if (!created) throw nameTaken(name);
    const subject = { kind: 'payment_status', id: created.id, name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details: { isPaid }, at: now });
    return shown(created);
  });
}

/** Disabling also makes the orders of the status unpaid, atomically. */
export async function changePaymentStatus(
  db: Database,
  moving: OrderMover,
  change: Change<PaymentStatusChange>,
): Promise<PaymentStatus> {
  const { storeId, fields: sent, actor, now } = change;
  const wanted = asUuid(change.id);
  if (!wanted) throw notFound('payment status');
  const name = sent.name === undefined ? undefined : storedName(sent.name);
  const apply = async (tx: Transaction) => {
    const status = await queries.lockPaymentStatus(tx, storeId, wanted);
    if (!status) throw notFound('payment status');
    const changed = {
      ...status,
      name: name ?? status.name,
      is_paid: sent.isPaid ?? status.is_paid,
      color: sent.color ?? status.color,
      is_active: sent.isActive ?? status.is_active,
    };
    refuseSystem(status, changed);
    const fields = { name: 'name', is_paid: 'isPaid', color: 'color', is_active: 'isActive' };
    const details = differences(status, changed, fields);
    if (!details) return shown(status);
    await queries.updatePaymentStatus(tx, storeId, changed, nameKey(changed.name));
    const subject = { kind: 'payment_status', id: status.id, name: changed.name } as const;
    await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    if (status.is_active && !changed.is_active) {
      const unpaid = await queries.paymentStatusOf(tx, storeId, 'unpaid');
      if (!unpaid) throw new Error(`store ${storeId} has no payment status unpaid`);
      await moving.moveOrders(tx, { storeId, field: 'paymentStatus', from: status.id, to: unpaid.id, actor, now });
      await finish(tx, storeId, status.id);
    } else if (details.name || details.isPaid) {
      // The orders of the status show it differently from here on.
      await tick(tx, storeId, now);
    }
    return shown(changed);
  };
  const begun = { kind: 'payment_status', storeId, id: wanted, fields: sent, actor, now } as const;
  return moveInBatches(db, moving, begun, () => db.transaction(apply, { isLong: sent.isActive === false })).catch(
    (error: unknown) => {
      if (isTaken(db, error)) throw nameTaken(name ?? '');
      throw error;
    },
  );
}

/** Sorts the payment statuses; `ids` must name each of them once. */
export async function arrangePaymentStatuses(db: Database, storeId: string, ids: readonly string[]) {
  await db.transaction(async (tx) => {
    const found = await queries.lockPaymentStatuses(tx, storeId);
    await queries.arrangePaymentStatuses(tx, storeId, sortPositions(found, ids));
  });
  return listPaymentStatuses(db, storeId);
}

/** The status that orders move to when theirs is disabled: unpaid. */
export async function fallbackForPaymentStatus(db: Queryable, storeId: string, id: string): Promise<PaymentStatus> {
  const statuses = await listPaymentStatuses(db, storeId);
  const unpaid = statuses.find(({ code }) => code === 'unpaid');
  if (!unpaid || !statuses.some((status) => status.id === asUuid(id))) throw notFound('payment status');
  return unpaid;
}

function refuseSystem(status: queries.PaymentStatusRow, changed: queries.PaymentStatusRow) {
  if (status.code === null) return;
  const refuse = (rule: string) =>
    new Refusal('system_record', `"${status.name}" is a system payment status: it ${rule}.`);
  const isEdited = changed.name !== status.name || changed.is_paid !== status.is_paid || changed.color !== status.color;
  if (isEdited) throw refuse('cannot be edited');
  if (!changed.is_active && always.includes(status.code)) throw refuse('cannot be disabled');
}

const nameTaken = (name: string) =>
  new Refusal('name_taken', `The store has a payment status named "${name}" already.`);

const shown = (row: queries.PaymentStatusRow): PaymentStatus => ({
  id: row.id,
  code: row.code,
  name: row.name,
  isPaid: row.is_paid,
  isActive: row.is_active,
  sortOrder: row.sort_order,
  color: row.color,
});
