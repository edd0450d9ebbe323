import type { ChangeProduct, CreateProduct } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { tick } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { differences, recordHistory } from '../history/history.ts';
import { Faults, notFound } from '../refusal.ts';
import * as queries from './import.queries.ts';

/** The store, the actor and the time of an edit. */
export interface Edit {
  storeId: string;
  actor: Actor;
  now: number;
}

const blank = { external_id: null, sku: null, description: '', category_id: null, is_active: true };

/** Adds a product; returns its id. */
export const createProduct = (db: Database, sent: CreateProduct, edit: Edit): Promise<string> =>
  db.transaction(async (tx) => {
    await queries.lockCatalog(tx, edit.storeId);
    const { name, price } = sent;
    const { fields } = await checked(tx, edit.storeId, { ...blank, name, price }, sent, undefined);
    const id = uuid(edit.now);
    await save(tx, { ...fields, id }, edit);
    const subject = { kind: 'product', id, name: fields.name } as const;
    const details = { price, ...(fields.sku && { sku: fields.sku }) };
    await recordHistory(tx, { ...historyEntry(edit), action: 'created', subject, details });
    return id;
  });

/** Changes only the fields passed. A no-op change keeps `updatedAt`. */
export const changeProduct = (db: Database, id: string, sent: ChangeProduct, edit: Edit): Promise<void> =>
  db.transaction(async (tx) => {
    const wanted = asUuid(id);
    await queries.lockCatalog(tx, edit.storeId);
    const present = wanted && (await queries.holdProduct(tx, edit.storeId, wanted));
    if (!present) throw notFound('product');
    const { fields, categoryName } = await checked(tx, edit.storeId, present, sent, present.id);
    const details = differences<queries.ProductFields>(present, fields, {
      external_id: 'externalId',
      sku: 'sku',
      name: 'name',
      description: 'description',
      price: 'price',
      category_id: 'category',
      is_active: 'isActive',
    });
    if (!details) return;
    // The history shows the name of the category, because an id means nothing to its reader.
    if (details.category) details.category = [categoryName(present.category_id), categoryName(fields.category_id)];
    await save(tx, { ...fields, id: present.id }, edit);
    const subject = { kind: 'product', id: present.id, name: fields.name } as const;
    await recordHistory(tx, { ...historyEntry(edit), action: 'changed', subject, details });
  });

const historyEntry = ({ storeId, actor, now }: Edit) => ({ scopeId: storeId, actor, at: now });

/** The product after the change; reports all validation errors at once. */
async function checked(
  tx: Transaction,
  storeId: string,
  present: queries.ProductFields,
  sent: ChangeProduct,
  id: string | undefined,
) {
  const faults = new Faults();
  const name = sent.name?.trim();
  if (name === '') faults.add('/name', 'too_short', 'must not be empty');
  const categories = new Map((await queries.listCategories(tx, storeId)).map((each) => [each.id, each.name]));
  const categoryId = sent.categoryId === '' ? null : sent.categoryId && (asUuid(sent.categoryId) ?? '');
  if (typeof categoryId === 'string' && !categories.has(categoryId))
    faults.add('/categoryId', 'not_found', 'names no category of this store');
  const fields: queries.ProductFields = {
    external_id: keyOf(sent.externalId, present.external_id),
    sku: keyOf(sent.sku, present.sku),
    name: name ?? present.name,
    description: sent.description ?? present.description,
    price: sent.price ?? present.price,
    category_id: categoryId === undefined ? present.category_id : categoryId,
    is_active: sent.isActive ?? present.is_active,
  };
  const keys = { externalIds: listed(fields.external_id), skus: listed(fields.sku), hold: false };
  for (const other of await queries.findProducts(tx, storeId, keys)) {
    if (other.id === id) continue;
    const words = `belongs to another product: ${other.name}`;
    if (fields.external_id && other.external_id === fields.external_id) faults.add('/externalId', 'taken', words);
    if (fields.sku && other.sku === fields.sku) faults.add('/sku', 'taken', words);
  }
  faults.throwIfAny();
  return { fields, categoryName: (of: string | null) => (of && categories.get(of)) || '' };
}

/** Optional keys are stored as null when empty. */
const keyOf = (sent: string | undefined, present: string | null) =>
  sent === undefined ? present : sent.trim() || null;
const listed = (key: string | null) => (key ? [key] : []);

async function save(tx: Transaction, product: queries.StoredProduct, { storeId, now }: Edit) {
  const { seq, at } = await tick(tx, storeId, now);
  await queries.writeProducts(tx, storeId, [{ ...product, seq }], at);
}
