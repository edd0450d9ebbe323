import type { OrderChange } from '@store-sales/contract';
import { editedParts } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { emailKey, phoneKey } from '../customers/contact.ts';
import { matchCustomer } from '../customers/match-customer.ts';
import { tick } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { iso } from '../instant.ts';
import { Faults, notFound, Refusal } from '../refusal.ts';
import { type NewEvent, recordEvents } from '../webhooks/outbox/outbox.ts';
import { readDocument, stamped, writeDocument } from './document.ts';
import { matches } from './etag.ts';
import * as queries from './orders.queries.ts';

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
  const { shown } = await db.transaction(
    async (tx) => {
      await applyChange(tx, request, now);
      // Not awaited: the query is pipelined with the commit and saves a round trip.
      return { shown: queries.show(tx, request.storeId, request.id) };
    },
    { storeId: request.storeId },
  );
  return shown;
}

export async function applyChange(tx: Transaction, request: ChangeRequest, now: number): Promise<void> {
  const { storeId, change, actor } = request;
  // Lock statuses before the order, in the same sequence as disabling a status does, to avoid deadlocks.
  const [wanted, order] = await Promise.all([
    wantedStatuses(tx, storeId, change),
    queries.lockOrder(tx, storeId, request.id),
  ]);
  if (!order) throw notFound('order');
  if (request.ifMatch !== undefined && !matches(request.ifMatch, order.seq))
    throw new Refusal('precondition_failed', 'The order has changed since it was read.');
  wanted.faults.throwIfAny();

  const before = readDocument(order.document);
  const document = {
    ...before,
    notes: change.notes ?? before.notes,
    customer: { ...before.customer, ...change.customer },
    delivery: { ...before.delivery, ...change.delivery },
  };
  const moved =
    phoneKey(before.customer.phone) !== phoneKey(document.customer.phone) ||
    emailKey(before.customer.email) !== emailKey(document.customer.email);
  const match = moved ? await matchCustomer(tx, storeId, document.customer, now) : undefined;
  if (moved) document.customer.id = match?.customerId ?? null;

  const changed = {
    ...order,
    status_id: wanted.status?.id ?? order.status_id,
    payment_status_id: wanted.paymentStatus?.id ?? order.payment_status_id,
    customer_id: document.customer.id,
    document: writeDocument(document),
  };
  if (same(order, changed)) return;

  const clock = await tick(tx, storeId, now, { count: match?.changes ? 2 : 1 });
  if (match?.changes) await match.write(clock.at, clock.seq - 1);
  const stampedDocument = stamped(changed.document, iso(clock.at));
  queries.updateOrder(tx, storeId, { ...changed, document: stampedDocument, seq: clock.seq }, clock.at);

  const events: NewEvent[] = [];
  const note = (type: NewEvent['type'], details: Record<string, unknown>) =>
    events.push({ type, orderId: order.id, externalId: order.external_id ?? '', at: clock.at, actor, details });
  const noteMove = (type: NewEvent['type'], to: queries.StatusRow | undefined, from: string) => {
    if (to && to.id !== from) note(type, { from, to: to.id });
  };
  // Old and new values are left out, so that contacts and notes are stored only in the order.
  const edited = editedParts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(document[part]));
  if (edited.length) note('order.edited', { edited });
  noteMove('order.status_changed', wanted.status, order.status_id);
  noteMove('order.payment_status_changed', wanted.paymentStatus, order.payment_status_id);
  recordEvents(tx, storeId, events, now);
}

const same = (a: queries.LockedOrder, b: queries.LockedOrder) =>
  a.status_id === b.status_id && a.payment_status_id === b.payment_status_id && a.document === b.document;

/** Requested statuses by code or id; unknown and disabled ones are reported at their JSON pointer. */
async function wantedStatuses(tx: Transaction, storeId: string, change: OrderChange) {
  const faults = new Faults();
  const find = async (kind: queries.StatusKind, code: string | undefined, id: string | undefined) => {
    if (code === undefined && id === undefined) return undefined;
    const by = code === undefined ? { id: (id as string).toLowerCase() } : { code };
    const pointer = code === undefined ? `/${kind}Id` : `/${kind}`;
    const status = await queries.lockStatus(tx, kind, storeId, by);
    if (!status) faults.add(pointer, 'not_found', await validCodes(tx, kind, storeId));
    else if (!status.is_active) faults.add(pointer, 'inactive', 'names a status that is disabled');
    return status;
  };
  const [status, paymentStatus] = await Promise.all([
    find('status', change.status, change.statusId),
    find('paymentStatus', change.paymentStatus, change.paymentStatusId),
  ]);
  return { status, paymentStatus, faults };
}

async function validCodes(tx: Transaction, kind: queries.StatusKind, storeId: string) {
  const codes = (await queries.listStatuses(tx, kind, storeId)).map((status) => status.code).filter(Boolean);
  return `names no status of this store; its codes are ${codes.join(', ')}`;
}
