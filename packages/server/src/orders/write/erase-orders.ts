import { emailKey, phoneKey } from '../../customers/contact.ts';
import type { StoreClock } from '../../db/clock/store-clock.ts';
import type { Queryable } from '../../db/database.ts';
import { type Write, writePlan } from '../../db/write/plan.ts';
import { iso } from '../../time/instant.ts';
import { addressOf, type OrderDocument, readDocument, readItems, trackingCode, writeDocument } from '../document.ts';
import * as queries from './erase-orders.queries.ts';
import { lookupKey, lookupKeysOf } from './lookup-keys.ts';
import { searchedBy } from './order-rows.queries.ts';

export type Position = queries.Position;
export const { START } = queries;

type PersonalFields = Pick<OrderDocument, 'customer' | 'delivery' | 'notes' | 'metadata'>;

/**
 * An order without what is about the person: contact, address, the number of the parcel, with which a carrier shows both,
 * and the texts in which anybody may have written anything.
 */
export const withoutPerson = <Order extends PersonalFields>(order: Order): Order => ({
  ...order,
  customer: { id: order.customer.id, name: '', phone: '', email: '' },
  delivery: { ...order.delivery, ...addressOf({}), trackingNumber: '' },
  notes: '',
  metadata: {},
});

/** The orders of a customer, oldest first, page by page. */
export async function* ordersOfPerson(db: Queryable, storeId: string, customerId: string, pageSize = 500) {
  for (let after = START; ; ) {
    const page = await queries.ordersAfter(db, storeId, customerId, after, pageSize);
    if (page.length) yield page.map((order) => ({ id: order.id, number: order.number, document: readDocument(order) }));
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last;
  }
}

/** What members wrote to the customer of an order. */
export async function messagesOf(db: Queryable, storeId: string, orderId: string) {
  const rows = await queries.messages(db, storeId, orderId);
  return rows.flatMap(({ details, created_at }) => {
    const { text } = JSON.parse(details) as { text?: string };
    return text ? [{ at: iso(created_at), text }] : [];
  });
}

interface Erasure {
  storeId: string;
  customerId: string;
  after: Position;
  limit: number;
  now: number;
  /** Whether a text names the person. */
  mentions(text: string): boolean;
}

export interface ErasedBatch {
  orderIds: string[];
  /** How many of them were changed. */
  changed: number;
  /** Where the next batch begins; undefined after the last one. */
  next: Position | undefined;
}

/** Erases the person from the next orders of a customer. */
export const eraseOrders = ({ storeId, customerId, after, limit, now, mentions }: Erasure) =>
  writePlan({
    storeId,
    now,
    keys: 'unknown',
    read: (tx) => queries.ordersAfter(tx, storeId, customerId, after, limit),
    apply(orders, clock) {
      const pairs = orders
        .map((order) => {
          const before = readDocument(order);
          const externalId = mentions(before.externalId) ? '' : before.externalId;
          return { order, before, after: { ...withoutPerson(before), externalId } };
        })
        // An erasure that is resumed begins with orders that it has erased.
        .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
      const result: ErasedBatch = {
        orderIds: orders.map(({ id }) => id),
        changed: pairs.length,
        next: orders.length < limit ? undefined : orders.at(-1),
      };
      const ids = orders.map(({ id }) => id);
      return { writes: [...rewrite(storeId, pairs, clock), queries.withoutMessages(storeId, ids)], result };
    },
  });

interface Contacts {
  phones: ReadonlySet<string>;
  emails: ReadonlySet<string>;
}

/**
 * Erases these phones and e-mails, as they are compared, from the next orders of other customers that have them: an order is
 * matched by phone first, so it may have the e-mail of somebody else. Returns whether there were any.
 */
export const eraseContacts = (
  storeId: string,
  { phones, emails }: Contacts,
  { limit, now }: { limit: number; now: number },
) => {
  const keys = [...[...phones].map(lookupKey.phoneKey), ...[...emails].map(lookupKey.emailKey)];
  return writePlan({
    storeId,
    now,
    keys: 'unknown',
    read: (tx) => queries.ordersWithKeys(tx, storeId, keys, limit),
    apply(orders, clock) {
      const pairs = orders.map((order) => {
        const before = readDocument(order);
        const { phone, email } = before.customer;
        const customer = {
          ...before.customer,
          ...(phones.has(phoneKey(phone) ?? '') && { phone: '' }),
          ...(emails.has(emailKey(email) ?? '') && { email: '' }),
        };
        return { order, before, after: { ...before, customer } };
      });
      return { writes: rewrite(storeId, pairs, clock), result: orders.length > 0 };
    },
  });
};

interface Pair {
  order: queries.PersonalOrder;
  before: OrderDocument;
  after: OrderDocument;
}

function rewrite(storeId: string, pairs: readonly Pair[], clock: StoreClock): Write[] {
  if (!pairs.length) return [];
  const updatedAt = iso(clock.time);
  const rows = pairs.map(({ order, after }) => ({
    id: order.id,
    seq: clock.nextSeq(),
    external_id: after.externalId || null,
    tracking_code: trackingCode(after.delivery.trackingNumber),
    ...writeDocument({ ...after, updatedAt }),
  }));
  const keys = pairs.flatMap(({ before, after }) => {
    const kept = new Set(lookupKeysOf(after));
    return lookupKeysOf(before).flatMap((key) => (kept.has(key) ? [] : { key, number: before.number }));
  });
  return [
    queries.rewritten(storeId, rows, clock.time),
    queries.withoutKeys(storeId, keys),
    ...pairs.map(({ order, after }) => searchedBy(storeId, after, readItems(order.items))),
    ...pairs
      .filter(({ before, after }) => before.externalId !== after.externalId)
      .map(({ order }) => queries.withoutExternalId(storeId, order.id)),
  ];
}
