import { addressFields, type Order, type OrderChange, type OrderItem } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import { type Notices, noticeWrites, readNotice } from '../../customer-mail/notices.ts';
import { emailKey, phoneKey } from '../../customers/contact.ts';
import { findCustomer, matchCustomer } from '../../customers/match-customer.ts';
import type { StoreClock } from '../../db/clock/store-clock.ts';
import type { Queryable } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import type { Change, WritePlan } from '../../db/write/plan.ts';
import { FieldErrors, notFound } from '../../domain-error.ts';
import { requireTag } from '../../http/if-match.ts';
import { useWrites } from '../../promo/apply-promo.ts';
import { noStock, StockLedger } from '../../stock/ledger.ts';
import { iso } from '../../time/instant.ts';
import { eventWrites, type NewEvent } from '../../webhooks/outbox/outbox.ts';
import {
  type OrderDocument,
  readDocument,
  readItems,
  showOrder,
  trackingCode,
  writeDocument,
  writeItems,
} from '../document.ts';
import * as queries from '../orders.queries.ts';
import { etagOf } from '../read/read-order.ts';
import { describeEdit } from './describe-edit.ts';
import { type EditFacts, editOrder, readEdit } from './edit-order.ts';
import { noPromo, promoAfter, promoAsText, readPromo, usedPromo } from './order-promo.ts';
import { changedKeys, changedOrder, replacedLines, searchedBy, takenFrom } from './order-rows.queries.ts';
import { moveStock, readStockOfOrder } from './stock-of-order.ts';

export interface ChangeRequest {
  storeId: string;
  id: string;
  change: OrderChange;
  /** Whether a promo code takes off what the store has set for it. The API keeps it as a text. */
  appliesPromo: boolean;
  actor: Actor;
  /** Undefined if customers get no mails. */
  notices?: Notices | undefined;
  /** The `If-Match` header, if sent. */
  ifMatch?: string | undefined;
  now: number;
}

export interface Changed extends queries.OrderResponse {
  isChanged: boolean;
}

/** Changes only the fields passed. A no-op change keeps `updatedAt` and records no event. */
export const changeOrder = (request: ChangeRequest): WritePlan<Facts, Changed> => ({
  storeId: request.storeId,
  now: request.now,
  // The customer depends on the phone and e-mail of the order, too.
  keys: request.change.customer ? 'unknown' : [`order ${request.id}`],
  read: (tx) => readFacts(tx, request),
  apply: (facts, clock) => applyChange(request, facts, clock),
});

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(tx: Queryable, { storeId, id, change, appliesPromo, notices, ifMatch, now }: ChangeRequest) {
  const [statuses, order, edit] = await Promise.all([
    requestedStatuses(tx, storeId, change),
    queries.findOrder(tx, storeId, id),
    readEdit(tx, storeId, change),
  ]);
  if (!order) throw notFound('order');
  requireTag('order', ifMatch, etagOf(order.seq));
  const before = readDocument(order);
  const contact = { ...before.customer, ...change.customer };
  const hasMoved =
    phoneKey(before.customer.phone) !== phoneKey(contact.phone) ||
    emailKey(before.customer.email) !== emailKey(contact.email);
  const customer = hasMoved ? await findCustomer(tx, storeId, contact) : undefined;
  const promo = appliesPromo ? await readPromo(tx, storeId, order, change) : noPromo;
  const stock = await readStockOfOrder(tx, storeId, order, statuses.status?.found?.status_group || order.status_group, {
    hasItems: change.items !== undefined,
    products: edit.products,
  });
  const statusId = statuses.status?.found?.id ?? order.status_id;
  const isTold = notices && statusId !== order.status_id;
  const notice = isTold
    ? await readNotice(tx, notices, { storeId, orderId: order.id, email: contact.email, statusId, now })
    : undefined;
  return { statuses, order, before, edit, hasMoved, customer, promo, stock, notice };
}

function applyChange(
  { storeId, change, appliesPromo, notices, actor, now }: ChangeRequest,
  { statuses, order, before, edit, hasMoved, customer, promo: promoFacts, stock, notice }: Facts,
  clock: StoreClock,
): Change<Changed> {
  const fieldErrors = new FieldErrors();
  const status = chosenStatus(statuses.status, fieldErrors);
  const paymentStatus = chosenStatus(statuses.paymentStatus, fieldErrors);
  const { document, promo, lines } = editOrder(
    before,
    order,
    change,
    edit,
    (discounts, edited) =>
      appliesPromo
        ? promoAfter(discounts, change, promoFacts, { lines: edited, now }, fieldErrors, clock)
        : promoAsText(discounts, change),
    fieldErrors,
  );
  fieldErrors.throwIfAny();

  const match = hasMoved ? matchCustomer(storeId, document.customer, customer, clock) : undefined;
  const after: OrderDocument = {
    ...document,
    updatedAt: iso(clock.time),
    customer: { ...document.customer, id: match ? match.customerId : before.customer.id },
  };
  const parts = { ...writeDocument(after), tracking_code: trackingCode(after.delivery.trackingNumber) };
  const statusId = status?.id ?? order.status_id;
  const paymentStatusId = paymentStatus?.id ?? order.payment_status_id;
  const paid = change.paidAmount ?? paidAfter(order, paymentStatus, after.totalAmount);
  const shown = {
    status: status?.json ?? order.status,
    payment_status: paymentStatus?.json ?? order.payment_status,
    tracking_template: trackingTemplateAfter(order, before, after, edit),
  };
  const hasNewLines = lines !== undefined && JSON.stringify(lines.before) !== JSON.stringify(lines.after);
  const isSame =
    statusId === order.status_id &&
    paymentStatusId === order.payment_status_id &&
    paid === order.paid_amount &&
    promo.discount === order.promo_discount &&
    (['document', 'document_rest', 'document_tail'] as const).every((part) => parts[part] === order[part]) &&
    !hasNewLines;
  if (isSame) return { writes: [], result: { isChanged: false, body: showOrder(order, shown), seq: order.seq } };

  const edited = describeEdit(
    { ...before, paid: order.paid_amount, promoDiscount: order.promo_discount },
    { ...after, paid: change.paidAmount ?? order.paid_amount, promoDiscount: promo.discount },
    lines,
  );
  const events: NewEvent[] = [
    ...(edited ? [{ type: 'order.edited' as const, details: edited }] : []),
    ...move('order.status_changed', order.status_id, statusId),
    ...move('order.payment_status_changed', order.payment_status_id, paymentStatusId),
    ...(notice ? [{ type: 'order.mailed' as const, details: { mail: 'status', isSent: notice.isAllowed } }] : []),
  ];
  const source = { storeId, orderId: order.id, externalId: order.external_id ?? '', actor, now };
  const eventRows = eventWrites(source, events, clock);
  const ledger = new StockLedger(stock?.facts ?? noStock, clock);
  const warehouses = stock && moveStock(ledger, stock, lines?.after ?? readItems(order.items));

  const items = lines?.after.map((line): OrderItem => ({ ...line, id: line.id ?? uuid(clock.time) }));
  const stored = {
    ...parts,
    items: items ? writeItems(items) : order.items,
    paid_amount: paid,
    promo_code_id: promo.id,
    promo_discount: promo.discount,
  };
  const usedBefore = usedPromo(order.promo_code_id, order.status_group);
  const usedAfter = usedPromo(promo.id, status?.status_group || order.status_group);
  const keys = { storeId, statusId, paymentStatusId, at: clock.time, seq: clock.seq };
  const body = showOrder(stored, shown);
  const group = status?.status_group || order.status_group;
  const isClosed = group === 'cancelled' || group === 'returned';
  const isFoundOtherwise =
    hasNewLines ||
    before.notes !== after.notes ||
    (['name', 'phone', 'email'] as const).some((field) => before.customer[field] !== after.customer[field]) ||
    addressFields.some((field) => before.delivery[field] !== after.delivery[field]);
  return {
    writes: [
      ...(match?.writes ?? []),
      ...useWrites(storeId, usedBefore, usedAfter, clock),
      changedOrder(keys, after, stored, items !== undefined),
      ...(items && hasNewLines ? replacedLines(storeId, order.id, items, warehouses ?? []) : []),
      ...(warehouses && !hasNewLines ? [takenFrom(storeId, order.id, warehouses)] : []),
      ...ledger.writes(storeId, { kind: 'order', orderId: order.id, actor }),
      ...(isFoundOtherwise ? [searchedBy(storeId, after, items ?? readItems(order.items))] : []),
      ...changedKeys(storeId, before, after),
      ...eventRows,
      ...(notices && notice ? noticeWrites(notices, notice, orderIn(body), isClosed, now) : []),
    ],
    result: { isChanged: true, body, seq: keys.seq },
  };
}

const orderIn = (body: Buffer) => (JSON.parse(body.toString()) as { data: Order }).data;

/** What has been paid after a change of the payment status that does not say so itself. */
function paidAfter(order: queries.CurrentOrder, chosen: queries.RequestedStatus | undefined, total: number): number {
  if (!chosen || chosen.id === order.payment_status_id) return order.paid_amount;
  if (chosen.is_paid) return total;
  return chosen.code === 'unpaid' || chosen.code === 'refunded' ? 0 : order.paid_amount;
}

function trackingTemplateAfter(
  { tracking_template }: queries.CurrentOrder,
  before: OrderDocument,
  after: OrderDocument,
  { deliveryType }: EditFacts,
) {
  if (after.delivery.typeId === before.delivery.typeId) return tracking_template;
  return deliveryType?.tracking_template ?? '';
}

const move = (type: NewEvent['type'], from: string, to: string): NewEvent[] =>
  from === to ? [] : [{ type, details: { from, to } }];

/** A status that was asked for, by code or id; undefined if none was. */
interface StatusRequest {
  pointer: string;
  found: queries.RequestedStatus | undefined;
  /** If it was not found: what the store has. */
  validCodes: string[];
}

/** The statuses that a change asks for. */
async function requestedStatuses(tx: Queryable, storeId: string, change: OrderChange) {
  const find = async (kind: queries.StatusKind, code: string | undefined, id: string | undefined) => {
    if (code === undefined && id === undefined) return undefined;
    const by = code === undefined ? { id: (id as string).toLowerCase() } : { code };
    const found = await queries.findStatus(tx, kind, storeId, by);
    const known = found ? [] : await queries.listStatuses(tx, kind, storeId);
    const validCodes = known.map((status) => status.code).filter((each) => each !== null);
    return { pointer: code === undefined ? `/${kind}Id` : `/${kind}`, found, validCodes };
  };
  const [status, paymentStatus] = await Promise.all([
    find('status', change.status, change.statusId),
    find('paymentStatus', change.paymentStatus, change.paymentStatusId),
  ]);
  return { status, paymentStatus };
}

/** Unknown and disabled statuses are reported at their JSON pointer. */
function chosenStatus(request: StatusRequest | undefined, fieldErrors: FieldErrors) {
  if (!request) return undefined;
  const { pointer, found, validCodes } = request;
  if (!found)
    fieldErrors.add(
      pointer,
      'not_found',
      `does not match any status of this store; valid codes: ${validCodes.join(', ')}`,
    );
  else if (!found.is_active) fieldErrors.add(pointer, 'inactive', 'is disabled');
  return found;
}
