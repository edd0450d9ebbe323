import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './match.queries.ts';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

export interface Match {
  customerId: string;
  /** Whether the customer is created or filled in, and so takes a change number of its own. */
  changes: boolean;
  /** Writes the customer, after the store's clock was taken. */
  write(at: number, seq: number): Promise<unknown>;
}

/**
 * Finds the customer of an order by phone, then by e-mail. A match fills in missing fields and overwrites nothing;
 * without a match a new customer is created. Returns undefined without phone and e-mail. Concurrent orders with one new
 * phone wait at the lock, so that only the first creates the customer.
 */
export async function matchCustomer(
  tx: Transaction,
  storeId: string,
  contact: Contact,
  now: number,
): Promise<Match | undefined> {
  const phone = phoneKey(contact.phone);
  const email = emailKey(contact.email);
  if (!phone && !email) return undefined;

  const find = async () =>
    (phone && (await queries.findByPhone(tx, storeId, phone))) ||
    (email && (await queries.findByEmail(tx, storeId, email))) ||
    undefined;
  let found = await find();
  if (!found) {
    await tx.lock(storeId, matchingNames(contact));
    found = await find();
  }
  const sent = { name: contact.name, phone: contact.phone, phone_key: phone, email: contact.email, email_key: email };
  if (!found) {
    const row = { id: uuid(now), ...sent };
    return {
      customerId: row.id,
      changes: true,
      write: (at, seq) => queries.insertCustomer(tx, storeId, row, at, seq),
    };
  }
  if (!hasNewFields(found, sent)) return { customerId: found.id, changes: false, write: async () => {} };

  // Read again under a lock: another order may be filling in the same record.
  const locked = (await queries.lockCustomer(tx, storeId, found.id)) ?? found;
  return {
    customerId: locked.id,
    changes: hasNewFields(locked, sent),
    write: (at, seq) => queries.updateCustomer(tx, storeId, withNewFields(locked, sent), at, seq),
  };
}

/** Lock names for creating a customer with this contact. */
export const matchingNames = ({ phone = '', email = '' }: Partial<Contact>) =>
  [phoneKey(phone), emailKey(email)].filter((key) => key !== null).map((key) => `customer ${key}`);

type Sent = Omit<queries.CustomerRow, 'id'>;

const hasNewFields = (found: queries.CustomerRow, sent: Sent) =>
  (!found.name && sent.name !== '') ||
  (!found.phone_key && sent.phone_key !== null) ||
  (!found.email_key && sent.email_key !== null);

const withNewFields = (found: queries.CustomerRow, sent: Sent): queries.CustomerRow => ({
  id: found.id,
  name: found.name || sent.name,
  ...(found.phone_key ? pick(found, 'phone', 'phone_key') : pick(sent, 'phone', 'phone_key')),
  ...(found.email_key ? pick(found, 'email', 'email_key') : pick(sent, 'email', 'email_key')),
});

const pick = <Row, A extends keyof Row, B extends keyof Row>(row: Row, a: A, b: B) =>
  ({ [a]: row[a], [b]: row[b] }) as Pick<Row, A | B>;
