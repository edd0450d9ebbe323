import { tick } from '../db/clock/store-clock.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { pagesById } from '../db/lists/walk.ts';
import { deleteTerms } from '../db/search/record-terms.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError, notFound } from '../domain-error.ts';
import * as queries from './erase.queries.ts';

export type PersonRow = queries.PersonRow;

const KEYS_PER_STATEMENT = 500;

/** The store of a customer, which the command line names by its id alone. */
export async function storeOfCustomer(db: Queryable, id: string): Promise<string> {
  const validId = asUuid(id);
  const found = validId && (await queries.findStore(db, validId));
  if (!found) throw new DomainError('not_found', `There is no customer with the id ${id}.`);
  return found.store_id;
}

/** The customer, or the one that it was merged into: the person that both are. */
export async function findPerson(db: Queryable, storeId: string, id: string): Promise<PersonRow> {
  for (let next: string | null | undefined = asUuid(id); next; ) {
    const found: PersonRow | undefined = await queries.find(db, storeId, next);
    if (!found) break;
    if (!found.merged_into_id) return found;
    next = found.merged_into_id;
  }
  throw notFound('customer');
}

/** All customers that were merged into this one, also by way of others, page by page. */
export async function* mergedCustomers(db: Queryable, storeId: string, id: string): AsyncGenerator<PersonRow[]> {
  const into = [id];
  for (let target = into.pop(); target; target = into.pop())
    for await (const page of pagesById((after, limit) => queries.mergedInto(db, storeId, target, after, limit))) {
      yield page;
      into.push(...page.map(({ id }) => id));
    }
}

/** Those of these phones and e-mails, as they are compared, that another customer created until then has. */
export async function keysInUse(
  db: Queryable,
  storeId: string,
  id: string,
  { phones, emails }: { phones: ReadonlySet<string>; emails: ReadonlySet<string> },
  until = Number.MAX_SAFE_INTEGER,
) {
  const found = new Set<string>();
  const [allPhones, allEmails] = [[...phones], [...emails]];
  for (let start = 0; start < Math.max(phones.size, emails.size); start += KEYS_PER_STATEMENT) {
    const end = start + KEYS_PER_STATEMENT;
    const slice = { phones: allPhones.slice(start, end), emails: allEmails.slice(start, end), id, until };
    for (const { key } of await queries.keysInUse(db, storeId, slice)) found.add(key);
  }
  return found;
}

/** Empties records of customers. From then on nothing finds them, and they are not changed any more. */
export async function eraseRecords(tx: Transaction, storeId: string, ids: readonly string[], now: number) {
  const { seq, at } = await tick(tx, storeId, now, { count: ids.length });
  for (const [index, id] of ids.entries()) {
    await queries.erase(tx, storeId, { id, at, seq: seq - ids.length + 1 + index });
    await deleteTerms(tx, 'customers', storeId, id);
  }
}
