import { RunAgain, type Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './match.queries.ts';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

/** The customer with the phone of an order, else the one with its e-mail. */
export type Candidate = Awaited<ReturnType<typeof findCandidate>>;

export const findCandidate = async (tx: Transaction, storeId: string, contact: Contact) => {
  const [phone, email] = [phoneKey(contact.phone), emailKey(contact.email)];
  const [byPhone, byEmail] = await Promise.all([
    phone ? queries.findByPhone(tx, storeId, phone) : undefined,
    email ? queries.findByEmail(tx, storeId, email) : undefined,
  ]);
  return byPhone ?? byEmail;
};

export interface Match {
  customerId: string;
  /** Whether the customer is created or filled in, and so takes a change number of its own. */
  changes: boolean;
  /** Wait for it together with the store's clock, which is then the last lock, in the same round trip. */
  locked: Promise<unknown>;
  /** Writes the customer, after `locked`. */
  write(at: number, seq: number): void;
}

/**
 * The customer of an order: the one with its phone, else the one with its e-mail. A match fills in missing fields and
 * overwrites nothing; without a match a new customer is created. Returns undefined without phone and e-mail. Concurrent
 * orders with one new phone wait at the lock; if another has created or changed the customer meanwhile, the transaction
 * runs again.
 */
export function matchCustomer(
  tx: Transaction,
  storeId: string,
  contact: Contact,
  found: Candidate,
  now: number,
): Match | undefined {
  const names = matchingNames(contact);
  if (!names.length) return undefined;
  const sent = {
    name: contact.name,
    phone: contact.phone,
    phone_key: phoneKey(contact.phone),
    email: contact.email,
    email_key: emailKey(contact.email),
  };
  if (!found) {
    const row = { id: uuid(now), ...sent };
    const lock = tx.lock(storeId, names);
    const isNew = async () => {
      if (await findCandidate(tx, storeId, contact)) throw new RunAgain();
    };
    return {
      customerId: row.id,
      changes: true,
      locked: awaitedLater(Promise.all([lock, isNew()])),
      write: (at, seq) => queries.insertCustomer(tx, storeId, row, at, seq),
    };
  }
  if (!hasNewFields(found, sent))
    return { customerId: found.id, changes: false, locked: Promise.resolve(), write: () => {} };

  tx.claim(`customer ${found.id}`);
  let latest = found;
  const lock = async () => {
    const row = await queries.lockCustomer(tx, storeId, found.id);
    if (!row || !hasNewFields(row, sent)) throw new RunAgain();
    latest = row;
  };
  return {
    customerId: found.id,
    changes: true,
    locked: awaitedLater(lock()),
    write: (at, seq) => queries.updateCustomer(tx, storeId, withNewFields(latest, sent), at, seq),
  };
}

/** If the transaction fails before, nobody handles the rejection. */
function awaitedLater(locked: Promise<unknown>) {
  locked.catch(() => {});
  return locked;
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
