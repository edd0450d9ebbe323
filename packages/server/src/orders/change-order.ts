import type { OrderChange, OrderItem } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import { emailKey, phoneKey } from '../customers/contact.ts';
import { findCandidate, matchCustomer } from '../customers/match-customer.ts';
import { tick } from '../db/clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { DomainError, FieldErrors, notFound } from '../domain-error.ts';
import { iso } from '../instant.ts';
import { type NewEvent, recordEvents } from '../webhooks/outbox/outbox.ts';
import { describeEdit } from './describe-edit.ts';
import { readDocument, writeDocument, writeItems } from './document.ts';
import { editOrder } from './edit-order.ts';
import { indexOrder } from './index-orders.ts';
import { replaceLines } from './insert-orders.queries.ts';
import { lineRow } from './order-lines.ts';
import * as queries from './orders.queries.ts';
import { matchesEtag } from './read-order.ts';

export interface ChangeRequest {
  storeId: string;
  id: string;
  change: OrderChange;
  actor: Actor;
  /** The `If-Match` header, if sent. */
  ifMatch?: string | undefined;
}

/** Changes only the fields passed. A no-op change keeps `updatedAt` and records no event. */
export async function changeOrder(db: Database, request: ChangeRequest, now: number) {
  const { response } = await db.transaction(
    async (tx) => {
      await applyChange(tx, request, now);
      // Not awaited: the query is pipelined with the commit and saves a round trip.
      return { response: queries.show(tx, request.storeId, request.id) };
    },
    { storeId: request.storeId, group: { key: `order ${request.id}` } },
  );
  return response;
}

/** Returns whether the order changed. */
export async function applyChange(tx: Transaction, request: ChangeRequest, now: number): Promise<boolean> {
  const { storeId, change, actor } = request;
  // Lock statuses before the order, in the same sequence as disabling a status does, to avoid deadlocks.
  const [requested, order] = await Promise.all([
    requestedStatuses(tx, storeId, change, queries.lockStatus),
    queries.lockOrder(tx, storeId, request.id),
  ]);
  if (!order) throw notFound('order');
  if (request.ifMatch !== undefined && !matchesEtag(request.ifMatch, order.seq))
    throw new DomainError('precondition_failed', 'The order has changed since it was read.');

  const before = readDocument(order);
  const { document, lines } = await editOrder(tx, storeId, before, change, requested.fieldErrors);
  requested.fieldErrors.throwIfAny();
  const moved =
    phoneKey(before.customer.phone) !== phoneKey(document.customer.phone) ||
    emailKey(before.customer.email) !== emailKey(document.customer.email);
  const match = moved
    ? matchCustomer(tx, storeId, document.customer, await findCandidate(tx, storeId, document.customer), now)
    : undefined;
  if (moved) document.customer.id = match?.customerId ?? null;

  const changed = {
    ...order,
    status_id: requested.status?.id ?? order.status_id,
    payment_status_id: requested.paymentStatus?.id ?? order.payment_status_id,
    customer_id: document.customer.id,
    ...writeDocument(document),
  };
  const hasNewLines = lines !== undefined && JSON.stringify(lines.before) !== JSON.stringify(lines.after);
  if (same(order, changed) && !hasNewLines) return false;

  const hasNewContact = (['name', 'phone', 'email'] as const).some(
    (field) => before.customer[field] !== document.customer[field],
  );
  const otherItems = hasNewContact && !lines ? await queries.itemsOf(tx, storeId, order.id) : [];
  const [clock] = await Promise.all([tick(tx, storeId, now, { count: match?.changes ? 2 : 1 }), match?.locked]);
  if (match?.changes) match.write(clock.at, clock.seq - 1);
  const items = lines?.after.map((line): OrderItem => ({ ...line, id: line.id ?? uuid(clock.at) }));
  const stamped = writeDocument({ ...document, updatedAt: iso(clock.at) });
  queries.updateOrder(
    tx,
    storeId,
    { ...changed, ...stamped, seq: clock.seq },
    clock.at,
    items && { total_amount: document.totalAmount, items: writeItems(items) },
  );
  if (items && hasNewLines) replaceLines(tx, storeId, order.id, items.map(lineRow));
  if (hasNewContact || hasNewLines) indexOrder(tx, storeId, document, items ?? otherItems);

  const edited = describeEdit(before, document, lines);
  const about = { orderId: order.id, externalId: order.external_id ?? '', at: clock.at, actor };
  recordEvents(
    tx,
    storeId,
    [
      ...(edited ? [{ ...about, type: 'order.edited' as const, details: edited }] : []),
      ...move(about, 'order.status_changed', order.status_id, changed.status_id),
      ...move(about, 'order.payment_status_changed', order.payment_status_id, changed.payment_status_id),
    ],
    now,
  );
  return true;
}

const move = (about: Omit<NewEvent, 'type'>, type: NewEvent['type'], from: string, to: string): NewEvent[] =>
  from === to ? [] : [{ ...about, type, details: { from, to } }];

const same = (a: queries.LockedOrder, b: queries.LockedOrder) =>
  a.status_id === b.status_id &&
  a.payment_status_id === b.payment_status_id &&
  a.document === b.document &&
  a.document_tail === b.document_tail;

type StatusFields = Pick<OrderChange, 'status' | 'statusId' | 'paymentStatus' | 'paymentStatusId'>;

/** Requested statuses by code or id; unknown and disabled ones are reported at their JSON pointer. */
export async function requestedStatuses<Source extends Queryable>(
  db: Source,
  storeId: string,
  change: StatusFields,
  read: (
    db: Source,
    kind: queries.StatusKind,
    storeId: string,
    by: queries.StatusKey,
  ) => Promise<queries.StatusRow | undefined>,
) {
  const fieldErrors = new FieldErrors();
  const find = async (kind: queries.StatusKind, code: string | undefined, id: string | undefined) => {
    if (code === undefined && id === undefined) return undefined;
    const by = code === undefined ? { id: (id as string).toLowerCase() } : { code };
    const pointer = code === undefined ? `/${kind}Id` : `/${kind}`;
    const status = await read(db, kind, storeId, by);
    if (!status) fieldErrors.add(pointer, 'not_found', await validCodes(db, kind, storeId));
    else if (!status.is_active) fieldErrors.add(pointer, 'inactive', 'is disabled');
    return status;
  };
  const [status, paymentStatus] = await Promise.all([
    find('status', change.status, change.statusId),
    find('paymentStatus', change.paymentStatus, change.paymentStatusId),
  ]);
  return { status, paymentStatus, fieldErrors };
}

async function validCodes(db: Queryable, kind: queries.StatusKind, storeId: string) {
  const codes = (await queries.listStatuses(db, kind, storeId)).map((status) => status.code).filter(Boolean);
  return `does not match any status of this store; valid codes: ${codes.join(', ')}`;
}
