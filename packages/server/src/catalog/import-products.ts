import { tick } from '../db/clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { Cells, RowRefused, shown } from '../imports/cells.ts';
import { yieldToEventLoop } from '../imports/pace.ts';
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
import * as queries from './import.queries.ts';

export type ProductColumn = 'externalId' | 'sku' | 'name' | 'description' | 'price' | 'categoryExternalId' | 'isActive';

export const productTable: TableForm<ProductColumn> = {
  columns: ['externalId', 'sku', 'name', 'description', 'price', 'categoryExternalId', 'isActive'],
  keys: ['externalId', 'sku'],
};

type Row = TableRow<ProductColumn>;

/**
 * Imports products, matched by `externalId`; a product without an external id is also matched by `sku`, and then gets
 * the external id of the row.
 */
export function importProducts(
  db: Database,
  storeId: string,
  rows: AsyncIterable<Row>,
  { now, dryRun = false, onChange, maxRejections }: ImportOptions,
): Promise<Report> {
  // A dry run writes nothing, so it has to remember what earlier rows would have done.
  const imagined = new Drafts({ isDryRun: true });
  const work = (batch: Row[]) =>
    dryRun
      ? plan(db, storeId, batch, imagined, { hold: false, onChange })
      : write(db, async (tx) => {
          await queries.lockCatalog(tx, storeId);
          const drafts = new Drafts({ isDryRun: false });
          const report = await plan(tx, storeId, batch, drafts, { hold: true });
          await yieldToEventLoop();
          await save(tx, storeId, drafts.changed(), now());
          return report;
        });
  return inBatches(rows, work, maxRejections);
}

/** A product as the rows read so far would leave it. */
interface Draft {
  /** As stored; undefined for a new one. */
  stored: queries.StoredProduct | undefined;
  fields: queries.ProductFields;
}

/** Products by their keys. */
class Index {
  private readonly byExternalId = new Map<string, Draft>();
  private readonly bySku = new Map<string, Draft>();

  externalId = (key: string | null | undefined) => (key ? this.byExternalId.get(key) : undefined);
  sku = (key: string | null | undefined) => (key ? this.bySku.get(key) : undefined);

  add(draft: Draft) {
    const { external_id, sku } = draft.fields;
    if (external_id) this.byExternalId.set(external_id, draft);
    if (sku) this.bySku.set(sku, draft);
  }

  remove({ fields: { external_id, sku } }: Draft) {
    if (external_id) this.byExternalId.delete(external_id);
    if (sku) this.bySku.delete(sku);
  }
}

class Drafts {
  /** Products changed by any row of the file, and their ids. */
  private readonly touched = new Set<Draft>();
  private readonly touchedIds = new Set<string>();
  private readonly kept = new Index();
  /** Products of this batch that no row has changed yet; dropped after the batch to save memory. */
  private loaded = new Index();

  constructor(private readonly options: { isDryRun: boolean }) {}

  load(products: readonly queries.StoredProduct[]) {
    this.loaded = new Index();
    for (const stored of products) if (!this.touchedIds.has(stored.id)) this.loaded.add({ stored, fields: stored });
  }

  find({ external_id, sku }: Partial<queries.ProductFields>): Draft | undefined {
    const named = this.kept.externalId(external_id) ?? this.loaded.externalId(external_id);
    const alike = this.withSku(sku);
    return named ?? (external_id && alike?.fields.external_id ? undefined : alike);
  }

  /** Sets the new fields of the draft, unless another product has the SKU. */
  put(draft: Draft, fields: queries.ProductFields) {
    const owner = this.withSku(fields.sku);
    if (fields.sku && owner && owner !== draft)
      throw new RowRefused(`sku ${shown(fields.sku)} belongs to another product${named(owner.fields.external_id)}`);
    (this.touched.has(draft) ? this.kept : this.loaded).remove(draft);
    draft.fields = fields;
    this.kept.add(draft);
    this.touched.add(draft);
    if (draft.stored) this.touchedIds.add(draft.stored.id);
    // Only needed for writing; the descriptions of a whole catalog would use too much memory.
    if (this.options.isDryRun) draft.stored = undefined;
  }

  /** What has to be written, in file order. */
  changed = () => [...this.touched].filter(({ stored, fields }) => !stored || !isSame(stored, fields));

  private withSku = (sku: string | null | undefined) => this.kept.sku(sku) ?? this.loaded.sku(sku);
}

const named = (externalId: string | null) => (externalId ? ` (externalId ${shown(externalId)})` : '');

const isSame = (a: queries.ProductFields, b: queries.ProductFields) =>
  a.external_id === b.external_id &&
  a.sku === b.sku &&
  a.name === b.name &&
  a.description === b.description &&
  a.price === b.price &&
  a.category_id === b.category_id &&
  a.is_active === b.is_active;

async function plan(
  db: Queryable,
  storeId: string,
  batch: readonly Row[],
  drafts: Drafts,
  { hold, onChange }: Planning,
) {
  const cellsOf = (column: ProductColumn) =>
    [
      ...new Set(batch.map(({ cells }) => cells[column]?.trim()).filter((cell) => cell && !cell.includes('\0'))),
    ] as string[];
  const withDescription = hold || batch.some(({ cells }) => cells.description !== undefined);
  const wanted = { externalIds: cellsOf('externalId'), skus: cellsOf('sku'), hold, withDescription };
  drafts.load(await queries.findProducts(db, storeId, wanted));
  const found = await queries.findCategories(db, storeId, cellsOf('categoryExternalId'));
  const categories = new Map(found.map(({ external_id, id }) => [external_id, id]));
  await yieldToEventLoop();
  const report = emptyReport();
  tally(report, batch, (row) => apply(drafts, sent(row, categories), noticed(row, onChange)));
  return report;
}

/** The fields that a row sets. */
function sent(row: Row, categories: ReadonlyMap<string, string>): Partial<queries.ProductFields> {
  const cells = new Cells(row);
  const category = cells.text('categoryExternalId', 255);
  const categoryId = category ? categories.get(category) : null;
  if (category && !categoryId)
    cells.refuse('categoryExternalId', `names no category of this store: ${shown(category)}`);
  const fields = {
    external_id: cells.key('externalId'),
    sku: cells.key('sku'),
    name: cells.filled('name', 200),
    description: cells.verbatim('description', 5000),
    price: cells.kopecks('price'),
    category_id: category === undefined ? undefined : categoryId,
    is_active: cells.truth('isActive', true),
  };
  cells.throwIfAny();
  if (!fields.external_id && !fields.sku) throw new RowRefused('needs externalId or sku');
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Describes a change by the columns of the row; the category as written in the row, because its id means nothing. */
const noticed =
  ({ line, cells }: Row, onChange: ImportOptions['onChange']): Notice<queries.ProductFields> =>
  (before, after) =>
    onChange?.(() => {
      const columns = { name: 'name', price: 'price', sku: 'sku', externalId: 'external_id' } as const;
      const more = { description: 'description', isActive: 'is_active' } as const;
      const change = changeOf(line, before, after, { ...columns, ...more });
      if (before ? before.category_id !== after.category_id : after.category_id)
        change.fields.categoryExternalId = [null, cells.categoryExternalId?.trim() ?? ''];
      return change;
    });

function apply(drafts: Drafts, fields: Partial<queries.ProductFields>, notice: Notice<queries.ProductFields>): Outcome {
  const known = drafts.find(fields);
  if (known) {
    const next = { ...known.fields, ...fields };
    if (isSame(known.fields, next)) return 'unchanged';
    const before = known.fields;
    drafts.put(known, next);
    notice(before, next);
    return 'updated';
  }
  const { name, price } = fields;
  if (name === undefined || price === undefined)
    throw new RowRefused(`is a new product and needs ${name === undefined ? 'a name' : 'a price'}`);
  const blank = { external_id: null, sku: null, description: '', category_id: null, is_active: true };
  const made = { ...blank, ...fields, name, price };
  drafts.put({ stored: undefined, fields: { ...made, external_id: null, sku: null } }, made);
  notice(undefined, made);
  return 'created';
}

async function save(tx: Transaction, storeId: string, changed: readonly Draft[], now: number) {
  if (!changed.length) return;
  const { seq, at } = await tick(tx, storeId, now, { count: changed.length });
  const moved = changed.flatMap(({ stored, fields }) =>
    stored && (fields.external_id !== stored.external_id || fields.sku !== stored.sku) ? [stored.id] : [],
  );
  if (moved.length) await queries.freeKeys(tx, storeId, moved);
  const first = seq - changed.length + 1;
  const rows = changed.map(({ stored, fields }, index) => ({
    ...fields,
    id: stored?.id ?? uuid(at),
    seq: first + index,
  }));
  await queries.writeProducts(tx, storeId, rows, at);
}
