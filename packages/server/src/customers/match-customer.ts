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
  /** Whether the customer record is made or filled in, and so takes a change number of its own. */
  changes: boolean;
  /** Does so, once the store's clock has been taken. */
  write(at: number, seq: number): Promise<unknown>;
}

/**
 * Finds the customer of an order by phone, then by e-mail; a match fills in what the record lacks and
 * overwrites nothing; without a match a new one is made. Nothing without phone and e-mail. Of several orders
 * at once with one new phone only the first finds nothing: the others wait for it at the lock.
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
  let known = await find();
  if (!known) {
    await tx.lock(storeId, matchingNames(contact));
    known = await find();
  }
  const sent = { name: contact.name, phone: contact.phone, phone_key: phone, email: contact.email, email_key: email };
  if (!known) {
    const row = { id: uuid(now), ...sent };
    return {
      customerId: row.id,
      changes: true,
      write: (at, seq) => queries.insertCustomer(tx, storeId, row, at, seq),
    };
  }
  if (!lacks(known, sent)) return { customerId: known.id, changes: false, write: async () => {} };

  // Read again under a lock: another order may be filling in the same record.
  const held = (await queries.lockCustomer(tx, storeId, known.id)) ?? known;
  return {
    customerId: held.id,
    changes: lacks(held, sent),
    write: (at, seq) => queries.updateCustomer(tx, storeId, filled(held, sent), at, seq),
  };
}

/** The names held by whoever adds a customer with this contact, or looks for one in vain. */
export const matchingNames = ({ phone = '', email = '' }: Partial<Contact>) =>
  [phoneKey(phone), emailKey(email)].filter((key) => key !== null).map((key) => `customer ${key}`);

type Sent = Omit<queries.CustomerRow, 'id'>;

const lacks = (known: queries.CustomerRow, sent: Sent) =>
  (!known.name && sent.name !== '') ||
  (!known.phone_key && sent.phone_key !== null) ||
  (!known.email_key && sent.email_key !== null);

const filled = (known: queries.CustomerRow, sent: Sent): queries.CustomerRow => ({
  id: known.id,
  name: known.name || sent.name,
  ...(known.phone_key ? pick(known, 'phone', 'phone_key') : pick(sent, 'phone', 'phone_key')),
  ...(known.email_key ? pick(known, 'email', 'email_key') : pick(sent, 'email', 'email_key')),
});

const pick = <Row, A extends keyof Row, B extends keyof Row>(row: Row, a: A, b: B) =>
  ({ [a]: row[a], [b]: row[b] }) as Pick<Row, A | B>;
