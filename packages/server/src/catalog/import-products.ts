import { MAX_QUANTITY } from '@store-sales/contract';
import { type Actor, system } from '../actor.ts';
import { lockClock, saveClock } from '../db/clock/store-clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { type RunWrite, runWrites } from '../db/write/run-plans.ts';
import { Cells, RowRejected } from '../imports/cells.ts';
import { trimmedKey } from '../imports/duplicates.ts';
import { fileError } from '../imports/messages.ts';
import type { PriceFormat } from '../imports/prices.ts';
import { applyRow, type Draft, type Drafts, distinct, importRecords, type RecordKind } from '../imports/records.ts';
import { changeOf, type ImportOptions, type Report } from '../imports/report.ts';
import { excerpt, type TableForm, type TableRow } from '../imports/table.ts';
import { readStock, readWarehouses, StockLedger } from '../stock/ledger.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import { isImageUrl, MAX_IMAGE_URL } from './image-url.ts';
import * as queries from './import.queries.ts';
import { termChange } from './search-terms.ts';

const columns = [
  'externalId',
  'sku',
  'name',
  'description',
  'price',
  'oldPrice',
  'categoryExternalId',
  'imageUrl',
  'isActive',
  'stock',
] as const;
const STOCK_COLUMN = 'stock';
const STOCK = 'stock:';
/** `stock:CODE` is the quantity in the warehouse with this code, `stock` in the first one. */
export type ProductColumn = (typeof columns)[number] | `${typeof STOCK}${string}`;

export const productTable: TableForm<ProductColumn> = {
  columns: [...columns],
  prefix: STOCK,
  aliases: {
    ...{ внешнийid: 'externalId', внешнийкод: 'externalId', id: 'externalId' },
    ...{ артикул: 'sku', article: 'sku', productcode: 'sku' },
    ...{ название: 'name', наименование: 'name', товар: 'name', title: 'name', productname: 'name' },
    описание: 'description',
    ...{ цена: 'price', стараяцена: 'oldPrice', ценадоскидки: 'oldPrice', compareatprice: 'oldPrice' },
    ...{
      внешнийidкатегории: 'categoryExternalId',
      кодкатегории: 'categoryExternalId',
      categoryid: 'categoryExternalId',
    },
    ...{ картинка: 'imageUrl', изображение: 'imageUrl', фото: 'imageUrl', image: 'imageUrl', picture: 'imageUrl' },
    ...{ активен: 'isActive', active: 'isActive' },
    ...{ остаток: STOCK_COLUMN, остатки: STOCK_COLUMN, количество: STOCK_COLUMN, quantity: STOCK_COLUMN },
  },
  keys: ['externalId', 'sku'],
};

type Row = TableRow<ProductColumn>;

/**
 * Imports products, matched by `externalId`; a product without an external id is also matched by `sku`, and then gets
 * the external id of the row.
 */
export const importProducts = (
  db: Database,
  storeId: string,
  rows: AsyncIterable<Row>,
  options: ImportOptions,
): Promise<Report> =>
  importRecords(
    db,
    productRecords,
    {
      storeId,
      rows,
      read: (at, batch, drafts) => readBatch(at, storeId, batch, drafts, options),
      afterWrite: (tx, written, changed) =>
        saveStock(tx, storeId, written, changed, { now: options.now(), actor: options.actor ?? system }),
    },
    options,
  );

interface Fields extends queries.ProductFields {
  /** Of a stored product. */
  picture_url?: string | null;
  /** Quantities by warehouse; of a stored product those that the file may change. */
  stock: Readonly<Record<string, number>>;
}

const isSame = (a: Fields, b: Fields) => isSameProduct(a, b) && isSameStock(a, b);

const isSameStock = (a: Fields, b: Fields) =>
  [a.stock, b.stock].every((stock) => Object.keys(stock).every((id) => a.stock[id] === b.stock[id]));

const isSameProduct = (a: Fields, b: Fields) =>
  a.external_id === b.external_id &&
  a.sku === b.sku &&
  a.name === b.name &&
  a.description === b.description &&
  a.price === b.price &&
  a.old_price === b.old_price &&
  a.category_id === b.category_id &&
  a.image_url === b.image_url &&
  a.is_active === b.is_active;

type Key = 'externalId' | 'sku';

const productRecords: RecordKind<Fields, 'sku', Key> = {
  records: 'products',
  second: { column: 'sku', keyOf: trimmedKey },
  keysOf: ({ external_id: externalId, sku }) => ({ externalId, sku }),
  isSame,
  freeKeys: queries.freeKeys,
  write: queries.writeProducts,
  termChange,
};

async function readBatch(
  db: Queryable,
  storeId: string,
  batch: readonly Row[],
  drafts: Drafts<Fields, Key>,
  { dryRun, onChange, prices = { unit: 'kopecks' }, addsInactive }: ImportOptions,
) {
  const places = await placesOf(db, storeId, batch);
  const stored = await queries.findProducts(db, storeId, {
    externalIds: distinct(batch, ({ externalId }) => externalId?.trim()),
    skus: distinct(batch, ({ sku }) => sku?.trim()),
    // Texts that no row changes need not be read to find out what would change.
    withTexts: !dryRun || batch.some(({ cells }) => cells.description !== undefined || cells.imageUrl !== undefined),
  });
  drafts.load(await withStock(db, storeId, stored, places));
  const named = distinct(batch, ({ categoryExternalId }) => categoryExternalId?.trim());
  const found = await queries.findCategories(db, storeId, named);
  const categories = new Map(found.map(({ external_id, id }) => [external_id, id]));
  // The export names a category without an external id by its id.
  const ids = named.filter((name) => !categories.has(name) && asUuid(name));
  for (const { id } of await queries.categoriesWithIds(db, storeId, ids)) categories.set(id, id);
  return (row: Row) => {
    const fields = fieldsOf(row, categories, prices, places);
    const known = namedBy(drafts, fields);
    if (known && fields.image_url === known.fields.picture_url) fields.image_url = known.fields.image_url;
    const next = known
      ? { ...known.fields, ...fields, stock: { ...known.fields.stock, ...fields.stock } }
      : newProduct(addsInactive ? { ...fields, is_active: false } : fields);
    requireFreeSku(drafts, next.sku, known);
    return applyRow(drafts, known, next, reportChange(row, places, onChange));
  };
}

/** The product that a row names: one with its external id, else one with its SKU, unless the ids differ. */
function namedBy(drafts: Drafts<Fields, Key>, { external_id, sku }: Partial<Fields>) {
  const withSku = drafts.find('sku', sku);
  return drafts.find('externalId', external_id) ?? (external_id && withSku?.fields.external_id ? undefined : withSku);
}

function requireFreeSku(drafts: Drafts<Fields, Key>, sku: string | null, product: Draft<Fields> | undefined) {
  const owner = drafts.find('sku', sku);
  if (!sku || !owner || owner === product) return;
  const { external_id, name } = owner.fields;
  const params = { value: excerpt(sku), product: excerpt(external_id ?? name) };
  throw new RowRejected([{ column: 'sku', code: 'sku_taken', params }]);
}

/** The warehouse of each column of stock. */
type Places = ReadonlyMap<ProductColumn, string>;

/** Throws if a column names no warehouse, or two the same. */
async function placesOf(db: Queryable, storeId: string, batch: readonly Row[]): Promise<Places> {
  const cells = batch.find(({ error }) => !error)?.cells ?? {};
  const named = (Object.keys(cells) as ProductColumn[]).filter((name) => name === 'stock' || name.startsWith(STOCK));
  const places = new Map<ProductColumn, string>();
  if (!named.length) return places;
  const warehouses = await readWarehouses(db, storeId);
  for (const column of named) {
    const code = column.slice(STOCK.length);
    const place = warehouses.find((each) => (column === 'stock' ? each.is_active : each.code === code));
    if (!place && column === 'stock') throw fileError({ code: 'no_warehouse', params: {} });
    if (!place)
      throw fileError({
        code: 'unknown_warehouse',
        params: { value: excerpt(code), codes: warehouses.map((each) => each.code) },
      });
    if ([...places.values()].includes(place.id))
      throw fileError({ code: 'duplicate_column', params: { value: column } });
    places.set(column, place.id);
  }
  return places;
}

async function withStock(
  db: Queryable,
  storeId: string,
  products: readonly queries.PicturedProduct[],
  places: Places,
): Promise<(Fields & { id: string })[]> {
  const ids = places.size ? products.map(({ id }) => id) : [];
  const stock = new Map<string, Record<string, number>>(ids.map((id) => [id, {}]));
  for (const { product_id, warehouse_id, quantity } of (await readStock(db, storeId, ids)).quantities)
    Object.assign(stock.get(product_id) ?? {}, { [warehouse_id]: quantity });
  return products.map((product) => ({ ...product, stock: stock.get(product.id) ?? {} }));
}

/** The fields that a row sets. */
function fieldsOf(
  row: Row,
  categories: ReadonlyMap<string, string>,
  prices: PriceFormat,
  places: Places,
): Partial<Fields> {
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
    old_price: cells.optionalPrice('oldPrice', prices),
    category_id: category === undefined ? undefined : categoryId,
    image_url: imageUrl,
    is_active: cells.boolean('isActive', true),
    // An empty cell leaves a product without stock untracked.
    stock: Object.fromEntries(
      [...places].flatMap(([column, id]) => {
        const quantity = cells.quantity(column, MAX_QUANTITY);
        return quantity === undefined ? [] : [[id, quantity]];
      }),
    ),
  };
  cells.throwIfAny();
  if (!fields.external_id && !fields.sku)
    cells.reject(null, { code: 'key_required', params: { columns: productTable.keys } });
  cells.throwIfAny();
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Describes a change by the columns of the row; the category as written in the row, because its id means nothing. */
const reportChange =
  ({ line, cells }: Row, places: Places, onChange: ImportOptions['onChange']) =>
  (before: Fields | undefined, after: Fields) =>
    onChange?.(() => {
      const columns = { name: 'name', price: 'price', sku: 'sku', externalId: 'external_id' } as const;
      const more = {
        oldPrice: 'old_price',
        description: 'description',
        imageUrl: 'image_url',
        isActive: 'is_active',
      } as const;
      const change = changeOf(line, before, after, { ...columns, ...more });
      if (before ? before.category_id !== after.category_id : after.category_id)
        change.fields.categoryExternalId = [null, cells.categoryExternalId?.trim() ?? ''];
      for (const [column, id] of places) {
        const [was, is] = [before?.stock[id] ?? null, after.stock[id] ?? null];
        if (was !== is) change.fields[column] = [was, is];
      }
      return change;
    });

function newProduct({ name, price, ...fields }: Partial<Fields>): Fields {
  if (name === undefined || price === undefined)
    throw new RowRejected([{ column: name === undefined ? 'name' : 'price', code: 'required', params: {} }]);
  return {
    ...{
      external_id: null,
      sku: null,
      description: '',
      old_price: null,
      category_id: null,
      image_url: '',
      is_active: true,
    },
    ...{ stock: {}, ...fields, name, price },
  };
}

async function saveStock(
  tx: Transaction,
  storeId: string,
  written: readonly (Fields & { id: string })[],
  changed: readonly Draft<Fields>[],
  { now, actor }: { now: number; actor: Actor },
) {
  const stocked = written.filter((row, index) => !isSameStock(row, changed[index]?.stored ?? { ...row, stock: {} }));
  if (!stocked.length) return;
  const stock = await readStock(
    tx,
    storeId,
    stocked.map(({ id }) => id),
  );
  const clock = (await lockClock(tx, storeId)).at(now);
  const ledger = new StockLedger(stock, clock);
  for (const { id, stock: quantities } of stocked)
    for (const [warehouseId, quantity] of Object.entries(quantities)) ledger.set(id, warehouseId, quantity);
  await runWrites(tx, ledger.writes(storeId, { kind: 'import', orderId: null, actor }), oneByOne(tx));
  await saveClock(tx, storeId, clock);
}

/** Other requests are served between the statements: on SQLite, thousands of rows take this thread a while. */
function oneByOne(tx: Transaction): RunWrite {
  let before: Promise<unknown> = Promise.resolve();
  return (statement) => {
    const run = before.then(yieldToEventLoop).then(() => tx.run(statement));
    before = run.catch(() => {});
    return run;
  };
}
