import type { ChangeCustomer, CreateCustomer } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { lockClock, tick } from '../db/clock/store-clock.ts';
import { type Database, isTaken, type Transaction } from '../db/database.ts';
import { writeTerms } from '../db/search/record-terms.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { FieldErrors, invalidField, notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireUnchanged } from '../http/if-match.ts';
import { isEmail } from '../text/names.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './edit.queries.ts';
import { type CustomerFields, writeCustomers } from './import.queries.ts';
import { termChange } from './search-terms.ts';

/** The store, the actor and the time of an edit. */
interface Edit {
  storeId: string;
  actor: Actor;
  now: number;
  /** The `If-Match` header, if sent: the quoted `updatedAt`. */
  ifMatch?: string | undefined;
}

const blank: CustomerFields = { external_id: null, name: '', phone: '', phone_key: null, email: '', email_key: null };
const historyFields = { external_id: 'externalId', name: 'name', phone: 'phone', email: 'email' };

/** Adds a customer; returns its id. */
export const createCustomer = (db: Database, sent: CreateCustomer, edit: Edit): Promise<string> =>
  write(db, async (tx) => {
    const id = uuid(edit.now);
    await lockClock(tx, edit.storeId);
    const fields = await checked(tx, edit.storeId, id, blank, sent);
    await save(tx, edit, 'created', blank, { ...fields, id }, {});
    return id;
  });

/** Changes only the fields passed. A no-op change keeps `updatedAt`. */
export const changeCustomer = (db: Database, id: string, sent: ChangeCustomer, edit: Edit): Promise<void> =>
  write(db, async (tx) => {
    const { storeId, ifMatch } = edit;
    const validId = asUuid(id);
    await lockClock(tx, storeId);
    const [current] = validId ? await queries.findCustomers(tx, storeId, [validId]) : [];
    if (!current) throw notFound('customer');
    requireUnchanged('customer', ifMatch, current.updated_at);
    const fields = await checked(tx, storeId, current.id, current, sent);
    const details = differences<CustomerFields>(current, fields, historyFields);
    if (details) await save(tx, edit, 'changed', current, { ...fields, id: current.id }, details);
  });

/** An import may use the external id at the same time. */
async function write<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (isTaken(error, 'customers.external_id'))
      throw invalidField('/externalId', 'taken', 'belongs to another customer');
    throw error;
  }
}

/**
 * The customer after the change. A phone or e-mail of another customer is rejected: orders are matched by them, so a
 * second customer would get none. One that is shared already (an import may do that) can stay.
 */
async function checked(
  tx: Transaction,
  storeId: string,
  id: string,
  current: CustomerFields,
  sent: ChangeCustomer,
): Promise<CustomerFields> {
  const fieldErrors = new FieldErrors();
  const text = (value: string | undefined, stored: string) => value?.trim() ?? stored;
  const phone = text(sent.phone, current.phone);
  const email = text(sent.email, current.email);
  const fields: CustomerFields = {
    external_id: text(sent.externalId, current.external_id ?? '') || null,
    name: text(sent.name, current.name),
    phone,
    phone_key: phoneKey(phone),
    email,
    email_key: emailKey(email),
  };
  if (!fields.name && !phone && !email) fieldErrors.add('/name', 'required', 'is required without a phone or e-mail');
  if (phone && phone !== current.phone && !fields.phone_key)
    fieldErrors.add('/phone', 'invalid_format', 'must contain at least one digit');
  if (email && email !== current.email && !isEmail(email))
    fieldErrors.add('/email', 'invalid_format', 'must be an e-mail address');

  const keys = [
    ['phone', fields.phone_key, current.phone_key],
    ['email', fields.email_key, current.email_key],
    ['externalId', fields.external_id, current.external_id],
  ] as const;
  for (const [field, value, stored] of keys) {
    const other = value && value !== stored && (await queries.other(tx, storeId, field, value, id));
    if (other) fieldErrors.add(`/${field}`, 'taken', `belongs to another customer: ${other.name}`, other);
  }
  fieldErrors.throwIfAny();
  return fields;
}

async function save(
  tx: Transaction,
  { storeId, actor, now }: Edit,
  action: 'created' | 'changed',
  before: CustomerFields,
  customer: CustomerFields & { id: string },
  details: Record<string, unknown>,
) {
  const { seq, at } = await tick(tx, storeId, now);
  await writeCustomers(tx, storeId, [{ ...customer, seq }], at);
  await writeTerms(tx, 'customers', storeId, [termChange(customer.id, before, customer)]);
  const subject = { kind: 'customer', id: customer.id, name: nameOf(customer) } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action, subject, details, at: now });
}

/** For the history. */
export const nameOf = ({ name, phone, email }: CustomerFields) => name || phone || email;
