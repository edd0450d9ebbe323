import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import { eraseRecords, findPerson, keysInUse, mergedCustomers } from '../customers/erase.ts';
import * as unfinished from '../db/batches/unfinished-changes.ts';
import { lockClock } from '../db/clock/store-clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { hasNodes } from '../db/installation/nodes.ts';
import { runPlan } from '../db/write/run-plans.ts';
import { eraseEntries } from '../history/entries-about.ts';
import { recordHistory } from '../history/history.ts';
import { keptResponses, removeKept, replaceKept } from '../http/kept-responses.ts';
import { eraseMails } from '../mail/mails-about.ts';
import { eraseViews } from '../orders/views/views-about.ts';
import { eraseContacts, eraseOrders, type Position, START } from '../orders/write/erase-orders.ts';
import { eraseRequests } from '../requests/requests-about.ts';
import type { Services } from '../services.ts';
import { SECOND } from '../time/duration.ts';
import { eraseResponses } from '../webhooks/log/delivery-log.ts';
import { type Contact, collectPerson } from './collect-person.ts';
import { isAbout, withoutPersonIn } from './kept-response.ts';
import type { Person } from './person.ts';

interface Erasure {
  storeId: string;
  id: string;
  actor: Actor;
  now: number;
}

export interface Erased {
  /** The customer, or the one that it was merged into. */
  id: string;
  /** Orders that were changed. */
  orders: number;
}

const kind = 'customer_erasure' as const;

/** What is known of the person while the erasure is under way. */
interface Progress {
  contacts: readonly Contact[];
}

/** Longer than a process collects lines of the request log before it writes them. */
const UNWRITTEN_MS = 2 * SECOND;
/** Phones and e-mails by which orders of others are looked up at a time. */
const KEYS_PER_LOOKUP = 200;

/**
 * Erases a person: a customer with all that were merged into it, and what is about them in orders, history, mails, kept
 * responses, saved views and the request log. The first transaction empties the customer, so that nothing finds it any more
 * and the same phone makes a new one. The rest follows in batches, and is resumed after a crash.
 */
export async function eraseCustomer(db: Database, erasure: Erasure): Promise<Erased> {
  const { storeId } = erasure;
  const id = await db.transaction((tx) => start(tx, erasure), { storeId });
  return { id, orders: await finish(db, storeId, id) };
}

/** Returns the id of the customer that was not merged. */
async function start(tx: Transaction, { storeId, id, actor, now }: Erasure): Promise<string> {
  await lockClock(tx, storeId);
  const { name, phone, email, ...person } = await findPerson(tx, storeId, id);
  if (person.erased_at !== null) return person.id;
  const fields: Progress = { contacts: [{ name, phone, email }] };
  await unfinished.record(tx, { kind, storeId, id: person.id, fields, actor, now });
  await eraseRecords(tx, storeId, [person.id], now);
  const subject = { kind: 'customer', id: person.id, name: '' } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action: 'erased', subject, at: now });
  return person.id;
}

/** Finishes what a process that died has begun. If another process is still at it, both erase what is left. */
export async function finishErasures({ db, log }: Pick<Services, 'db' | 'log'>) {
  for (const { kind: each, storeId, id, now } of await unfinished.list(db)) {
    if (each !== kind) continue;
    log.info({ kind, storeId, id, requestedAt: now }, 'resuming a change');
    await finish(db, storeId, id);
  }
}

/** Returns the number of changed orders. */
async function finish(db: Database, storeId: string, id: string): Promise<number> {
  const change = await unfinished.find(db, { kind, storeId, id });
  if (!change) return 0;
  const { contacts } = change.fields as Progress;
  const { now } = change;
  const { person, found } = await collectPerson(db, { storeId, id, contacts, until: now });
  // The orders are known to be theirs, what else their contacts are found in only as long as the contacts are known.
  const fields: Progress = { contacts: found };
  await db.transaction((tx) => unfinished.record(tx, { ...change, fields }), { storeId });
  await eraseTraces(db, storeId, person);

  let changed = 0;
  for (const customerId of person.ids)
    for (let next: Position | undefined = START; next; ) {
      const batch = await eraseBatch(db, storeId, customerId, next, person);
      changed += batch.changed;
      next = batch.next;
    }
  await eraseFromOthers(db, storeId, id, person);
  await eraseMerged(db, storeId, id, now);

  // What was written meanwhile from what was read or received before.
  if (await hasNodes(db)) await sleep(UNWRITTEN_MS);
  await eraseTraces(db, storeId, person);
  await unfinished.remove(db, change);
  return changed;
}

/** Erases the next orders of a customer, and what receivers of webhooks responded to their events. */
const eraseBatch = (db: Database, storeId: string, customerId: string, after: Position, person: Person) =>
  db.transaction(
    async (tx) => {
      const { mentions } = person;
      // An order takes about twice as long as one that is moved to another customer.
      const limit = tx.dialect.ordersPerBatch / 2;
      const batch = await runPlan(tx, eraseOrders({ storeId, customerId, after, limit, now: person.until, mentions }));
      await eraseResponses(tx, storeId, batch.orderIds);
      return batch;
    },
    { isLong: true, storeId },
  );

/** Erases phones and e-mails that no customer has from the orders of others. */
async function eraseFromOthers(db: Database, storeId: string, id: string, person: Person) {
  const used = await keysInUse(db, storeId, id, person);
  const unused = (keys: ReadonlySet<string>) => [...keys].filter((key) => !used.has(key));
  const [phones, emails] = [unused(person.phones), unused(person.emails)];
  for (let start = 0; start < Math.max(phones.length, emails.length); start += KEYS_PER_LOOKUP) {
    const slice = (keys: readonly string[]) => new Set(keys.slice(start, start + KEYS_PER_LOOKUP));
    const contacts = { phones: slice(phones), emails: slice(emails) };
    const next = (tx: Transaction) =>
      runPlan(tx, eraseContacts(storeId, contacts, { limit: tx.dialect.ordersPerBatch, now: person.until }));
    while (await db.transaction(next, { isLong: true, storeId }));
  }
}

async function eraseMerged(db: Database, storeId: string, id: string, now: number) {
  for await (const page of mergedCustomers(db, storeId, id)) {
    const ids = page.filter(({ erased_at }) => erased_at === null).map((customer) => customer.id);
    if (!ids.length) continue;
    await db.transaction(
      async (tx) => {
        await lockClock(tx, storeId);
        await eraseRecords(tx, storeId, ids, now);
      },
      { isLong: true, storeId },
    );
  }
}

/** What is kept about the person beside orders and customers. */
async function eraseTraces(db: Database, storeId: string, person: Person) {
  await eraseEntries(db, storeId, person);
  await eraseMails(db, storeId, person);
  await eraseRequests(db, storeId, person);
  await eraseViews(db, storeId, person.isNamed);
  const isTheirs = ({ key, created_at }: { key: string; created_at: number }) =>
    created_at <= person.until && person.mentions(key);
  for await (const kept of keptResponses(db, storeId, (each) => isAbout(each.body, person.ids) || isTheirs(each))) {
    const body = isAbout(kept.body, person.ids) ? withoutPersonIn(kept.body) : kept.body;
    if (isTheirs(kept)) await removeKept(db, storeId, kept);
    else if (body !== null && body !== kept.body) await replaceKept(db, storeId, kept, body);
  }
}
