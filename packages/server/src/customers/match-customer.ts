import type { StoreClock } from '../db/clock/store-clock.ts';
import type { Queryable } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { change, insert, type Write } from '../db/write/plan.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './match.queries.ts';
import { customerTerms, fieldTerms } from './search-terms.ts';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

/** Keys of a write that matches a customer: two that may create or fill in the same one do not share a transaction. */
export const contactKeys = ({ phone = '', email = '' }: Partial<Contact>) =>
  [phoneKey(phone), emailKey(email)].filter((key) => key !== null).map((key) => `customer ${key}`);

/** The customer with the phone of an order, else the one with its e-mail. */
export async function findCustomer(tx: Queryable, storeId: string, contact: Contact) {
  const [phone, email] = [phoneKey(contact.phone), emailKey(contact.email)];
  const [byPhone, byEmail] = await Promise.all([
    phone ? queries.findByPhone(tx, storeId, phone) : undefined,
    email ? queries.findByEmail(tx, storeId, email) : undefined,
  ]);
  return byPhone ?? byEmail;
}

export interface Match {
  customerId: string | null;
  writes: Write[];
}

/**
 * The customer of an order: the one that was found fills in what it lacks and overwrites nothing; without one a new
 * customer is created. There is none without phone and e-mail.
 */
export function matchCustomer(
  storeId: string,
  { name, phone, email }: Contact,
  found: queries.CustomerRow | undefined,
  clock: StoreClock,
): Match {
  const sent = { name, phone, phone_key: phoneKey(phone), email, email_key: emailKey(email) };
  if (!sent.phone_key && !sent.email_key) return { customerId: null, writes: [] };
  if (!found) {
    const id = uuid(clock.time);
    const stamps = { created_at: clock.time, updated_at: clock.time, seq: clock.nextSeq() };
    const row = { store_id: storeId, id, ...sent, ...stamps };
    const terms = customerTerms({ name, phone, email, external_id: null });
    const termsOfRow = terms.map((term) => ({ store_id: storeId, record_id: id, term }));
    return {
      customerId: id,
      writes: [insert(queries.customerRows, [row]), insert(queries.customerTermRows, termsOfRow)],
    };
  }
  const lacks =
    (!found.name && name !== '') ||
    (!found.phone_key && sent.phone_key !== null) ||
    (!found.email_key && sent.email_key !== null);
  if (!lacks) return { customerId: found.id, writes: [] };
  const fill = { storeId, id: found.id, ...sent, at: clock.time, seq: clock.nextSeq() };
  const terms = (['name', 'phone', 'email'] as const).flatMap((field) =>
    fieldTerms(field, sent[field]).map((term) => ({ field, term })),
  );
  return {
    customerId: found.id,
    writes: [
      change('customers', () => queries.fillIn(fill)),
      ...(terms.length ? [change('customer_terms', (dialect) => queries.fillInTerms(dialect, fill, terms))] : []),
    ],
  };
}
