import { tick } from '../db/clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { Cells } from '../imports/cells.ts';
import { rejectDuplicates } from '../imports/duplicates.ts';
import { MinHeap } from '../imports/min-heap.ts';
import { yieldToEventLoop } from '../imports/pace.ts';
import {
  applyRows,
  changeOf,
  emptyReport,
  type ImportOptions,
  inBatches,
  type OnRecordChange,
  type Outcome,
  type PlanOptions,
  type Report,
  write,
} from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './import.queries.ts';
import { matchingNames } from './match-customer.ts';

export type CustomerColumn = 'externalId' | 'name' | 'phone' | 'email';

export const customerTable: TableForm<CustomerColumn> = {
  columns: ['externalId', 'name', 'phone', 'email'],
  keys: ['externalId', 'phone'],
};

type Row = TableRow<CustomerColumn>;

/** Maximum customers with the same phone that are considered for a row, of all and of those without an external id. */
const MAX_SHARED = 10;
/** Maximum customers with the same phone that are searched for those without an external id. */
const MAX_SEARCHED = 100;

/**
 * Imports customers, matched by `externalId`; a customer without an external id (created by an order) is also matched
 * by phone, compared as when an order is matched, and then gets the external id of the row. A phone may be shared:
 * under another external id it is another customer. Of those who share one, the oldest are considered (`MAX_SHARED`).
 */
export function importCustomers(
  db: Database,
  storeId: string,
  rows: AsyncIterable<Row>,
  { now, dryRun = false, onChange, maxRejections }: ImportOptions,
): Promise<Report> {
  // A dry run writes nothing, so it has to remember what earlier rows would have done.
  const dryRunDrafts = new Drafts();
  const work = (batch: Row[]) =>
    dryRun
      ? plan(db, storeId, batch, dryRunDrafts, { lock: false, onChange })
      : write(db, async (tx) => {
          await tx.lock(storeId, ['customer import', ...batch.flatMap(({ cells }) => matchingNames(cells))]);
          const drafts = new Drafts();
          const report = await plan(tx, storeId, batch, drafts, { lock: true });
          await yieldToEventLoop();
          await save(tx, storeId, drafts.changed(), now());
          return report;
        });
  return inBatches(rejectDuplicates(rows, { column: 'phone', keyOf: phoneKey }), work, maxRejections);
}

/** A customer as the rows read so far would leave it. */
interface Draft {
  /** As stored; undefined for a new one. */
  stored: queries.StoredCustomer | undefined;
  fields: queries.CustomerFields;
  isTouched: boolean;
  /** Stored customers are older than new ones, and are sorted as when an order is matched. */
  createdAt: number;
  order: string;
}

/** Customers by external id and phone. */
class Index {
  private readonly byExternalId = new Map<string, Draft>();
  /** By phone: all, and those without an external id. Entries may have changed since they were added. */
  private readonly byPhone = new Map<string, { all: MinHeap<Draft>; withoutExternalId: MinHeap<Draft> }>();

  constructor(private readonly isMember: (draft: Draft) => boolean) {}

  externalId = (key: string) => this.byExternalId.get(key);

  /** The oldest customer with this phone. */
  oldest(phone: string, among: 'all' | 'withoutExternalId'): Draft | undefined {
    const isCurrent = (draft: Draft) =>
      this.isMember(draft) && draft.fields.phone_key === phone && (among === 'all' || !draft.fields.external_id);
    return this.byPhone.get(phone)?.[among].first(isCurrent);
  }

  add(draft: Draft, before: Partial<queries.CustomerFields> = {}) {
    const { external_id, phone_key } = draft.fields;
    if (external_id) this.byExternalId.set(external_id, draft);
    if (!phone_key) return;
    const isNew = phone_key !== before.phone_key;
    if (!isNew && (external_id || !before.external_id)) return;
    const same = this.byPhone.get(phone_key) ?? { all: new MinHeap(isOlder), withoutExternalId: new MinHeap(isOlder) };
    this.byPhone.set(phone_key, same);
    if (isNew) same.all.add(draft);
    if (!external_id) same.withoutExternalId.add(draft);
  }

  remove({ fields: { external_id } }: Draft) {
    if (external_id) this.byExternalId.delete(external_id);
  }
}

const isOlder = (a: Draft, b: Draft) => a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.order < b.order);

class Drafts {
  private readonly touched = new Set<Draft>();
  private readonly touchedIds = new Set<string>();
  /** Customers changed by any row of the file. */
  private readonly changedIndex = new Index((draft) => draft.isTouched);
  /** Customers of this batch that no row has changed yet; dropped after the batch to save memory. */
  private loaded = new Index((draft) => !draft.isTouched);

  load(customers: readonly queries.StoredCustomer[]) {
    this.loaded = new Index((draft) => !draft.isTouched);
    for (const stored of customers) {
      const { id: order, created_at: createdAt } = stored;
      if (!this.touchedIds.has(order)) this.loaded.add({ stored, fields: stored, isTouched: false, createdAt, order });
    }
  }

  find({ external_id, phone_key }: Partial<queries.CustomerFields>): Draft | undefined {
    const named = external_id
      ? (this.changedIndex.externalId(external_id) ?? this.loaded.externalId(external_id))
      : undefined;
    if (named || !phone_key) return named;
    const among = external_id ? 'withoutExternalId' : 'all';
    const [a, b] = [this.changedIndex.oldest(phone_key, among), this.loaded.oldest(phone_key, among)];
    return a && b ? (isOlder(a, b) ? a : b) : (a ?? b);
  }

  create(fields: queries.CustomerFields) {
    const order = String(this.touched.size).padStart(9, '0');
    const draft: Draft = { stored: undefined, fields, isTouched: true, createdAt: Number.POSITIVE_INFINITY, order };
    this.changedIndex.add(draft);
    this.touched.add(draft);
  }

  change(draft: Draft, fields: queries.CustomerFields) {
    (draft.isTouched ? this.changedIndex : this.loaded).remove(draft);
    const before = draft.isTouched ? draft.fields : undefined;
    draft.fields = fields;
    draft.isTouched = true;
    this.changedIndex.add(draft, before);
    this.touched.add(draft);
    if (draft.stored) this.touchedIds.add(draft.stored.id);
  }

  /** What has to be written, in file order. */
  changed = () => [...this.touched].filter(({ stored, fields }) => !stored || !isSame(stored, fields));
}

const isSame = (a: queries.CustomerFields, b: queries.CustomerFields) =>
  a.external_id === b.external_id && a.name === b.name && a.phone === b.phone && a.email === b.email;

async function plan(
  db: Queryable,
  storeId: string,
  batch: readonly Row[],
  drafts: Drafts,
  { lock, onChange }: PlanOptions,
) {
  const texts = (pick: (cells: Row['cells']) => string | null | undefined) =>
    [
      ...new Set(
        batch.map(({ cells }) => pick(cells)).filter((text) => typeof text === 'string' && !text.includes('\0')),
      ),
    ] as string[];
  const lookup = {
    externalIds: texts(({ externalId }) => externalId?.trim() || null),
    phoneKeys: texts(({ phone }) => phoneKey(phone ?? '')),
  };
  drafts.load(await find(db, storeId, lookup, lock));
  const report = emptyReport();
  const columns = { name: 'name', phone: 'phone', email: 'email', externalId: 'external_id' } as const;
  applyRows(report, batch, (row) =>
    apply(drafts, fieldsOf(row), (before, after) => onChange?.(() => changeOf(row.line, before, after, columns))),
  );
  return report;
}

interface CustomerLookup {
  externalIds: readonly string[];
  phoneKeys: readonly string[];
}

/** In short statements, even if hundreds share each phone, because on SQLite each statement blocks other writers. */
async function find(db: Queryable, storeId: string, { externalIds, phoneKeys }: CustomerLookup, lock: boolean) {
  const found = new Set(await queries.idsByExternalId(db, storeId, externalIds));
  const shared = { oldest: MAX_SHARED, searched: MAX_SEARCHED };
  for (let start = 0; start < phoneKeys.length; start += 200) {
    for (const id of await queries.idsByPhone(db, storeId, phoneKeys.slice(start, start + 200), shared)) found.add(id);
    await yieldToEventLoop();
  }
  const ids = [...found].sort();
  const customers: queries.StoredCustomer[] = [];
  for (let start = 0; start < ids.length; start += 1000) {
    customers.push(...(await queries.readCustomers(db, storeId, ids.slice(start, start + 1000), lock)));
    await yieldToEventLoop();
  }
  return customers;
}

/** The fields that a row sets. */
function fieldsOf(row: Row): Partial<queries.CustomerFields> {
  const cells = new Cells(row);
  const external_id = cells.key('externalId');
  const name = cells.text('name', 200);
  const phone = cells.text('phone', 50);
  const email = cells.email('email');
  const phone_key = phoneKey(phone ?? '');
  if (phone && !phone_key) cells.reject('phone', { code: 'no_digit', params: {} });
  cells.throwIfAny();
  if (!external_id && !phone_key) cells.reject(null, { code: 'key_required', params: { columns: customerTable.keys } });
  cells.throwIfAny();
  return {
    ...(external_id !== undefined && { external_id }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone, phone_key }),
    ...(email !== undefined && { email, email_key: emailKey(email) }),
  };
}

function apply(
  drafts: Drafts,
  fields: Partial<queries.CustomerFields>,
  onChange: OnRecordChange<queries.CustomerFields>,
): Outcome {
  const known = drafts.find(fields);
  if (known) {
    const next = { ...known.fields, ...fields };
    if (isSame(known.fields, next)) return 'unchanged';
    const before = known.fields;
    drafts.change(known, next);
    onChange(before, next);
    return 'updated';
  }
  const blank = { external_id: null, name: '', phone: '', phone_key: null, email: '', email_key: null };
  const created = { ...blank, ...fields };
  drafts.create(created);
  onChange(undefined, created);
  return 'created';
}

async function save(tx: Transaction, storeId: string, changed: readonly Draft[], now: number) {
  if (!changed.length) return;
  const { seq, at } = await tick(tx, storeId, now, { count: changed.length });
  const moved = changed.flatMap(({ stored, fields }) =>
    stored && fields.external_id !== stored.external_id ? [stored.id] : [],
  );
  if (moved.length) await queries.freeExternalIds(tx, storeId, moved);
  const first = seq - changed.length + 1;
  const rows = changed.map(({ stored, fields }, index) => ({
    ...fields,
    id: stored?.id ?? uuid(at),
    seq: first + index,
  }));
  await queries.writeCustomers(tx, storeId, rows, at);
}
