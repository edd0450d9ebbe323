import { tick } from '../db/clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { Cells, RowRefused } from '../imports/cells.ts';
import {
  changeOf,
  emptyReport,
  type ImportOptions,
  inBatches,
  type Notice,
  type Outcome,
  type Planning,
  type Report,
  tally,
  write,
} from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as store from './import.store.ts';
import { matchingNames } from './match-customer.ts';

export type CustomerColumn = 'externalId' | 'name' | 'phone' | 'email';

export const customerTable: TableForm<CustomerColumn> = {
  columns: ['externalId', 'name', 'phone', 'email'],
  keys: ['externalId', 'phone'],
};

type Row = TableRow<CustomerColumn>;

/**
 * Adds the customers of a table and changes those that are there. A customer is found by `externalId`; one without
 * an external id (an order made it) also by phone, compared as when an order is matched, and then gets the external
 * id of the row. A phone may be shared: under another external id it is another customer.
 */
export function importCustomers(
  db: Database,
  storeId: string,
  rows: AsyncIterable<Row>,
  { now, dryRun = false, onChange }: ImportOptions,
): Promise<Report> {
  // Nothing is written by a dry run, so it has to remember what earlier rows would have done.
  const imagined = new Drafts();
  return inBatches(rows, (batch) =>
    dryRun
      ? plan(db, storeId, batch, imagined, { hold: false, onChange })
      : write(db, async (tx) => {
          await tx.lock(storeId, ['customer import', ...batch.flatMap(({ cells }) => matchingNames(cells))]);
          const drafts = new Drafts();
          const report = await plan(tx, storeId, batch, drafts, { hold: true });
          await save(tx, storeId, drafts.changed(), now());
          return report;
        }),
  );
}

/** A customer as the rows read so far would leave it. */
interface Draft {
  /** As it is in the database; undefined for a new one. */
  stored: store.StoredCustomer | undefined;
  fields: store.CustomerFields;
}

class Drafts {
  private readonly ids = new Set<string>();
  private readonly touched = new Set<Draft>();
  private readonly byExternalId = new Map<string, Draft>();
  /** The oldest first. */
  private readonly byPhone = new Map<string, Draft[]>();

  know(stored: store.StoredCustomer) {
    if (this.ids.has(stored.id)) return;
    this.ids.add(stored.id);
    this.index({ stored, fields: stored });
  }

  find({ external_id, phone_key }: Partial<store.CustomerFields>): Draft | undefined {
    const named = external_id ? this.byExternalId.get(external_id) : undefined;
    if (named || !phone_key) return named;
    const alike = this.byPhone.get(phone_key) ?? [];
    return external_id ? alike.find(({ fields }) => !fields.external_id) : alike[0];
  }

  put(draft: Draft, fields: store.CustomerFields) {
    const { external_id, phone_key } = draft.fields;
    if (external_id) this.byExternalId.delete(external_id);
    // A phone that stays keeps the customer's place among those who share it.
    const movesPhone = phone_key !== fields.phone_key;
    if (phone_key && movesPhone)
      this.byPhone.set(
        phone_key,
        (this.byPhone.get(phone_key) ?? []).filter((other) => other !== draft),
      );
    draft.fields = fields;
    this.index(draft, movesPhone);
    this.touched.add(draft);
  }

  /** What has to be written, in the order of the file. */
  changed = () => [...this.touched].filter(({ stored, fields }) => !stored || !isSame(stored, fields));

  private index(draft: Draft, byPhone = true) {
    const { external_id, phone_key } = draft.fields;
    if (external_id) this.byExternalId.set(external_id, draft);
    if (phone_key && byPhone) this.byPhone.set(phone_key, [...(this.byPhone.get(phone_key) ?? []), draft]);
  }
}

const isSame = (a: store.CustomerFields, b: store.CustomerFields) =>
  a.external_id === b.external_id && a.name === b.name && a.phone === b.phone && a.email === b.email;

async function plan(
  db: Queryable,
  storeId: string,
  batch: readonly Row[],
  drafts: Drafts,
  { hold, onChange }: Planning,
) {
  const texts = (pick: (cells: Row['cells']) => string | null | undefined) =>
    [
      ...new Set(
        batch.map(({ cells }) => pick(cells)).filter((text) => typeof text === 'string' && !text.includes('\0')),
      ),
    ] as string[];
  const wanted = {
    externalIds: texts(({ externalId }) => externalId?.trim() || null),
    phoneKeys: texts(({ phone }) => phoneKey(phone ?? '')),
    hold,
  };
  for (const customer of await store.findCustomers(db, storeId, wanted)) drafts.know(customer);
  const report = emptyReport();
  const columns = { name: 'name', phone: 'phone', email: 'email', externalId: 'external_id' } as const;
  tally(report, batch, (row) =>
    apply(drafts, sent(row), (before, after) => onChange?.(changeOf(row.line, before, after, columns))),
  );
  return report;
}

/** What a row says, as far as it says anything. */
function sent(row: Row): Partial<store.CustomerFields> {
  const cells = new Cells(row);
  const external_id = cells.key('externalId');
  const name = cells.text('name', 200);
  const phone = cells.text('phone', 50);
  const email = cells.text('email', 254);
  const phone_key = phoneKey(phone ?? '');
  if (phone && !phone_key) cells.refuse('phone', 'must hold at least one digit');
  cells.settle();
  if (!external_id && !phone_key) throw new RowRefused('needs externalId or phone; an e-mail alone names nobody');
  return {
    ...(external_id !== undefined && { external_id }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone, phone_key }),
    ...(email !== undefined && { email, email_key: emailKey(email) }),
  };
}

function apply(drafts: Drafts, fields: Partial<store.CustomerFields>, notice: Notice<store.CustomerFields>): Outcome {
  const known = drafts.find(fields);
  if (known) {
    const next = { ...known.fields, ...fields };
    if (isSame(known.fields, next)) return 'unchanged';
    const before = known.fields;
    drafts.put(known, next);
    notice(before, next);
    return 'updated';
  }
  const blank = { external_id: null, name: '', phone: '', phone_key: null, email: '', email_key: null };
  const made = { ...blank, ...fields };
  drafts.put({ stored: undefined, fields: blank }, made);
  notice(undefined, made);
  return 'created';
}

async function save(tx: Transaction, storeId: string, changed: readonly Draft[], now: number) {
  if (!changed.length) return;
  const { seq, at } = await tick(tx, storeId, now, { count: changed.length });
  const moved = changed.flatMap(({ stored, fields }) =>
    stored && fields.external_id !== stored.external_id ? [stored.id] : [],
  );
  if (moved.length) await store.freeExternalIds(tx, storeId, moved);
  const first = seq - changed.length + 1;
  const rows = changed.map(({ stored, fields }, index) => ({
    ...fields,
    id: stored?.id ?? uuid(at),
    seq: first + index,
  }));
  await store.writeCustomers(tx, storeId, rows, at);
}
