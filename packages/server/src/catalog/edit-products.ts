import { MAX_AMOUNT } from '@store-sales/contract';
import { type ChangeProduct, type ChangeProducts, type CreateProduct, priceAfter } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { writeTerms } from '../db/search/record-terms.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { FieldErrors, notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireUnchanged } from '../http/if-match.ts';
import { isImageUrl } from './image-url.ts';
import * as queries from './import.queries.ts';
import { termChange } from './search-terms.ts';

/** The store, the actor and the time of an edit. */
export interface Edit {
  storeId: string;
  actor: Actor;
  now: number;
}

const blank = {
  external_id: null,
  sku: null,
  description: '',
  old_price: null,
  category_id: null,
  image_url: '',
  is_active: true,
};

/** Adds a product; returns its id. */
export const createProduct = (db: Database, sent: CreateProduct, edit: Edit): Promise<string> =>
  db.transaction(async (tx) => {
    await lockClock(tx, edit.storeId);
    const { name, price } = sent;
    const { fields } = await checked(tx, edit.storeId, { ...blank, name, price }, sent, undefined);
    const id = uuid(edit.now);
    await save(tx, undefined, { ...fields, id }, edit);
    const subject = { kind: 'product', id, name: fields.name } as const;
    const details = { price, ...(fields.sku && { sku: fields.sku }) };
    await recordHistory(tx, { ...historyEntry(edit), action: 'created', subject, details });
    return id;
  });

/** Changes only the fields passed, if the product is as it was read. A no-op change keeps `updatedAt`. */
export const changeProduct = (
  db: Database,
  id: string,
  sent: ChangeProduct,
  edit: Edit,
  ifMatch?: string,
): Promise<void> =>
  db.transaction(async (tx) => {
    const validId = asUuid(id);
    await lockClock(tx, edit.storeId);
    const [current] = validId ? await queries.productsWithIds(tx, edit.storeId, [validId]) : [];
    if (!current) throw notFound('product');
    requireUnchanged('product', ifMatch, current.updated_at);
    const { fields, categories } = await checked(tx, edit.storeId, current, sent, current.id);
    const details = changesOf(current, fields, categories);
    if (!details) return;
    await save(tx, current, { ...fields, id: current.id }, edit);
    const subject = { kind: 'product', id: current.id, name: fields.name } as const;
    await recordHistory(tx, { ...historyEntry(edit), action: 'changed', subject, details });
  });

/** Changes several products in the same way; returns how many were not so already. */
export const changeProducts = (db: Database, { ids, ...sent }: ChangeProducts, edit: Edit): Promise<number> =>
  db.transaction(async (tx) => {
    const { storeId, now } = edit;
    await lockClock(tx, storeId);
    const found = await queries.productsWithIds(tx, storeId, [...new Set(ids.map((id) => id.toLowerCase()))]);
    const known = new Set(found.map(({ id }) => id));
    const fieldErrors = new FieldErrors();
    for (const [index, id] of ids.entries())
      if (!known.has(id.toLowerCase()))
        fieldErrors.add(`/ids/${index}`, 'not_found', 'does not match any product of this store');
    const categories = await categoriesOf(tx, storeId);
    const categoryId = checkedCategory(sent.categoryId, categories, fieldErrors);
    const products = found.map((product) => ({
      ...product,
      is_active: sent.isActive ?? product.is_active,
      category_id: categoryId === undefined ? product.category_id : categoryId,
      price: sent.price ? priceAfter(product.price, sent.price) : product.price,
    }));
    if (products.some(({ price }) => price > MAX_AMOUNT))
      fieldErrors.add('/price/percent', 'overflow', 'must not lead to a price beyond 2^53 − 1');
    fieldErrors.throwIfAny();
    const changed = products.flatMap((product, index) => {
      const before = found[index] as queries.StoredProduct;
      const details = changesOf(before, product, categories);
      return details ? [{ product, details }] : [];
    });
    if (!changed.length) return 0;
    const { seq, at } = await tick(tx, storeId, now, { count: changed.length });
    const first = seq - changed.length + 1;
    const rows = changed.map(({ product }, index) => ({ ...product, seq: first + index }));
    await queries.writeProducts(tx, storeId, rows, at);
    for (const { product, details } of changed)
      await recordHistory(tx, {
        ...historyEntry(edit),
        action: 'changed',
        subject: { kind: 'product', id: product.id, name: product.name },
        details,
      });
    return changed.length;
  });

/** The names of the categories of a store by id. */
const categoriesOf = async (tx: Transaction, storeId: string) =>
  new Map((await queries.listCategories(tx, storeId)).map(({ id, name }) => [id, name]));

/** Null for none; undefined if it was not sent. */
function checkedCategory(sent: string | undefined, categories: ReadonlyMap<string, string>, fieldErrors: FieldErrors) {
  const categoryId = sent === '' ? null : sent && (asUuid(sent) ?? '');
  if (typeof categoryId === 'string' && !categories.has(categoryId))
    fieldErrors.add('/categoryId', 'not_found', 'does not match any category of this store');
  return categoryId;
}

/** What has changed, for the history; undefined if nothing has. */
function changesOf(
  before: queries.ProductFields,
  after: queries.ProductFields,
  categories: ReadonlyMap<string, string>,
) {
  const details = differences<queries.ProductFields>(before, after, {
    external_id: 'externalId',
    sku: 'sku',
    name: 'name',
    description: 'description',
    price: 'price',
    old_price: 'oldPrice',
    category_id: 'category',
    image_url: 'imageUrl',
    is_active: 'isActive',
  });
  // The history shows the name of the category, because an id means nothing to its reader.
  const nameOf = (id: string | null) => (id && categories.get(id)) || '';
  if (details?.category) details.category = [nameOf(before.category_id), nameOf(after.category_id)];
  return details;
}

const historyEntry = ({ storeId, actor, now }: Edit) => ({ scopeId: storeId, actor, at: now });

/** The product after the change; reports all validation errors at once. */
async function checked(
  tx: Transaction,
  storeId: string,
  current: queries.ProductFields,
  sent: ChangeProduct,
  id: string | undefined,
) {
  const fieldErrors = new FieldErrors();
  const name = sent.name?.trim();
  if (name === '') fieldErrors.add('/name', 'too_short', 'must not be empty');
  const categories = await categoriesOf(tx, storeId);
  const categoryId = checkedCategory(sent.categoryId, categories, fieldErrors);
  const imageUrl = sent.imageUrl?.trim();
  if (imageUrl && !isImageUrl(imageUrl))
    fieldErrors.add('/imageUrl', 'invalid_format', 'must be an https address, or a path that begins with one /');
  const fields: queries.ProductFields = {
    external_id: keyOf(sent.externalId, current.external_id),
    sku: keyOf(sent.sku, current.sku),
    name: name ?? current.name,
    description: sent.description ?? current.description,
    price: sent.price ?? current.price,
    old_price: sent.oldPrice === undefined ? current.old_price : sent.oldPrice || null,
    category_id: categoryId === undefined ? current.category_id : categoryId,
    image_url: imageUrl ?? current.image_url,
    is_active: sent.isActive ?? current.is_active,
  };
  const keys = { externalIds: asList(fields.external_id), skus: asList(fields.sku) };
  for (const other of await queries.findProducts(tx, storeId, keys)) {
    if (other.id === id) continue;
    const words = `belongs to another product: ${other.name}`;
    if (fields.external_id && other.external_id === fields.external_id) fieldErrors.add('/externalId', 'taken', words);
    if (fields.sku && other.sku === fields.sku) fieldErrors.add('/sku', 'taken', words);
  }
  fieldErrors.throwIfAny();
  return { fields, categories };
}

/** Optional keys are stored as null when empty. */
const keyOf = (sent: string | undefined, current: string | null) =>
  sent === undefined ? current : sent.trim() || null;
const asList = (key: string | null) => (key ? [key] : []);

async function save(
  tx: Transaction,
  before: queries.ProductFields | undefined,
  product: queries.StoredProduct,
  { storeId, now }: Edit,
) {
  const { seq, at } = await tick(tx, storeId, now);
  await queries.writeProducts(tx, storeId, [{ ...product, seq }], at);
  await writeTerms(tx, 'products', storeId, [termChange(product.id, before, product)]);
}
