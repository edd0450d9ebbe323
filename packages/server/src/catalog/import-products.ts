import { tick } from '../db/clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { Cells, RowRejected } from '../imports/cells.ts';
import { rejectDuplicates, trimmedKey } from '../imports/duplicates.ts';
import { yieldToEventLoop } from '../imports/pace.ts';
import type { PriceFormat } from '../imports/prices.ts';
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
import { excerpt, type TableForm, type TableRow } from '../imports/table.ts';
import { isImageUrl, MAX_IMAGE_URL } from './image-url.ts';
import * as queries from './import.queries.ts';

const columns = [
  'externalId',
  'sku',
  'name',
  'description',
  'price',
  'categoryExternalId',
  'imageUrl',
  'isActive',
] as const;
export type ProductColumn = (typeof columns)[number];

export const productTable: TableForm<ProductColumn> = {
  columns: [...columns],
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
  { now, dryRun = false, onChange, maxRejections, prices }: ImportOptions,
): Promise<Report> {
  // A dry run writes nothing, so it has to remember what earlier rows would have done.
  const dryRunDrafts = new Drafts({ isDryRun: true });
  const work = (batch: Row[]) =>
    dryRun
      ? plan(db, storeId, batch, dryRunDrafts, { lock: false, onChange, prices })
      : write(db, async (tx) => {
          await queries.lockCatalog(tx, storeId);
          const drafts = new Drafts({ isDryRun: false });
          const report = await plan(tx, storeId, batch, drafts, { lock: true, prices });
          await yieldToEventLoop();
          await save(tx, storeId, drafts.changed(), now());
          return report;
        });
  return inBatches(rejectDuplicates(rows, { column: 'sku', keyOf: trimmedKey }), work, maxRejections);
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
  private readonly changedIndex = new Index();
  /** Products of this batch that no row has changed yet; dropped after the batch to save memory. */
  private loaded = new Index();

  constructor(private readonly options: { isDryRun: boolean }) {}

  load(products: readonly queries.StoredProduct[]) {
    this.loaded = new Index();
    for (const stored of products) if (!this.touchedIds.has(stored.id)) this.loaded.add({ stored, fields: stored });
  }

  find({ external_id, sku }: Partial<queries.ProductFields>): Draft | undefined {
    const named = this.changedIndex.externalId(external_id) ?? this.loaded.externalId(external_id);
    const withSameSku = this.withSku(sku);
    return named ?? (external_id && withSameSku?.fields.external_id ? undefined : withSameSku);
  }

  /** Sets the new fields of the draft, unless another product has the SKU. */
  put(draft: Draft, fields: queries.ProductFields) {
    const owner = this.withSku(fields.sku);
    if (fields.sku && owner && owner !== draft)
      throw new RowRejected([
        {
          column: 'sku',
          code: 'sku_taken',
          params: { value: excerpt(fields.sku), product: excerpt(owner.fields.external_id ?? owner.fields.name) },
        },
      ]);
    (this.touched.has(draft) ? this.changedIndex : this.loaded).remove(draft);
    draft.fields = fields;
    this.changedIndex.add(draft);
    this.touched.add(draft);
    if (draft.stored) this.touchedIds.add(draft.stored.id);
    // Only needed for writing; the descriptions of a whole catalog would use too much memory.
    if (this.options.isDryRun) draft.stored = undefined;
  }

  /** What has to be written, in file order. */
  changed = () => [...this.touched].filter(({ stored, fields }) => !stored || !isSame(stored, fields));

  private withSku = (sku: string | null | undefined) => this.changedIndex.sku(sku) ?? this.loaded.sku(sku);
}

const isSame = (a: queries.ProductFields, b: queries.ProductFields) =>
  a.external_id === b.external_id &&
  a.sku === b.sku &&
  a.name === b.name &&
  a.description === b.description &&
  a.price === b.price &&
  a.category_id === b.category_id &&
  a.image_url === b.image_url &&
  a.is_active === b.is_active;

async function plan(
  db: Queryable,
  storeId: string,
  batch: readonly Row[],
  drafts: Drafts,
  { lock, onChange, prices = { unit: 'kopecks' } }: PlanOptions,
) {
  const cellsOf = (column: ProductColumn) =>
    [
      ...new Set(batch.map(({ cells }) => cells[column]?.trim()).filter((cell) => cell && !cell.includes('\0'))),
    ] as string[];
  const withTexts = lock || batch.some(({ cells }) => cells.description !== undefined || cells.imageUrl !== undefined);
  const lookup = { externalIds: cellsOf('externalId'), skus: cellsOf('sku'), lock, withTexts };
  drafts.load(await queries.findProducts(db, storeId, lookup));
  const found = await queries.findCategories(db, storeId, cellsOf('categoryExternalId'));
  const categories = new Map(found.map(({ external_id, id }) => [external_id, id]));
  await yieldToEventLoop();
  const report = emptyReport();
  applyRows(report, batch, (row) => apply(drafts, fieldsOf(row, categories, prices), reportChange(row, onChange)));
  return report;
}

/** The fields that a row sets. */
function fieldsOf(
  row: Row,
  categories: ReadonlyMap<string, string>,
  prices: PriceFormat,
): Partial<queries.ProductFields> {
  const cells = new Cells(row);
  const category = cells.text('categoryExternalId', 255);
  const categoryId = category ? categories.get(category) : null;
  if (category && !categoryId)
    cells.reject('categoryExternalId', { code: 'unknown_category', params: { value: excerpt(category) } });
  const imageUrl = cells.text('imageUrl', MAX_IMAGE_URL);
  if (imageUrl && !isImageUrl(imageUrl))
    cells.reject('imageUrl', { code: 'not_image_url', params: { value: excerpt(imageUrl) } });
  const fields = {
    external_id: cells.key('externalId'),
    sku: cells.key('sku'),
    name: cells.filled('name', 200),
    description: cells.verbatim('description', 5000),
    price: cells.price('price', prices),
    category_id: category === undefined ? undefined : categoryId,
    image_url: imageUrl,
    is_active: cells.boolean('isActive', true),
  };
  cells.throwIfAny();
  if (!fields.external_id && !fields.sku)
    cells.reject(null, { code: 'key_required', params: { columns: productTable.keys } });
  cells.throwIfAny();
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Describes a change by the columns of the row; the category as written in the row, because its id means nothing. */
const reportChange =
  ({ line, cells }: Row, onChange: ImportOptions['onChange']): OnRecordChange<queries.ProductFields> =>
  (before, after) =>
    onChange?.(() => {
      const columns = { name: 'name', price: 'price', sku: 'sku', externalId: 'external_id' } as const;
      const more = { description: 'description', imageUrl: 'image_url', isActive: 'is_active' } as const;
      const change = changeOf(line, before, after, { ...columns, ...more });
      if (before ? before.category_id !== after.category_id : after.category_id)
        change.fields.categoryExternalId = [null, cells.categoryExternalId?.trim() ?? ''];
      return change;
    });

function apply(
  drafts: Drafts,
  fields: Partial<queries.ProductFields>,
  onChange: OnRecordChange<queries.ProductFields>,
): Outcome {
  const known = drafts.find(fields);
  if (known) {
    const next = { ...known.fields, ...fields };
    if (isSame(known.fields, next)) return 'unchanged';
    const before = known.fields;
    drafts.put(known, next);
    onChange(before, next);
    return 'updated';
  }
  const { name, price } = fields;
  if (name === undefined || price === undefined)
    throw new RowRejected([{ column: name === undefined ? 'name' : 'price', code: 'required', params: {} }]);
  const blank = { external_id: null, sku: null, description: '', category_id: null, image_url: '', is_active: true };
  const created = { ...blank, ...fields, name, price };
  drafts.put({ stored: undefined, fields: { ...created, external_id: null, sku: null } }, created);
  onChange(undefined, created);
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
