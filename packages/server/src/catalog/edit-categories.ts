import type { ChangeCategory, CreateCategory } from '@store-sales/contract/console';
import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, FieldErrors, notFound } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { requireUnchanged } from '../http/if-match.ts';
import { requireBelowLimit } from '../limits.ts';
import type { Edit } from './edit-products.ts';
import * as queries from './import.queries.ts';

type TreeCategory = Awaited<ReturnType<typeof queries.listCategories>>[number];
type Tree = ReadonlyMap<string, TreeCategory>;

/** Adds a category; returns its id. Names may repeat, as in an import; external ids may not. */
export const createCategory = (db: Database, sent: CreateCategory, edit: Edit): Promise<string> =>
  db.transaction(async (tx) => {
    await lockClock(tx, edit.storeId);
    const tree = await treeOf(tx, edit.storeId);
    requireBelowLimit('categories', tree.size);
    const fieldErrors = new FieldErrors();
    const category = {
      id: uuid(edit.now),
      external_id: sent.externalId?.trim() || null,
      name: nameIn(sent.name, fieldErrors),
      parent_id: parentIn(tree, sent.parentId ?? '', undefined, fieldErrors),
    };
    if (category.external_id && [...tree.values()].some((other) => other.external_id === category.external_id))
      fieldErrors.add('/externalId', 'taken', 'belongs to another category');
    fieldErrors.throwIfAny();
    await queries.writeCategories(tx, edit.storeId, [category], edit.now);
    const parent = nameOf(tree, category.parent_id);
    await record(tx, 'created', category, edit, parent ? { parent } : {});
    return category.id;
  });

/** Renames a category or moves it with its subtree. */
export const changeCategory = (
  db: Database,
  id: string,
  sent: ChangeCategory,
  edit: Edit,
  ifMatch?: string,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockClock(tx, edit.storeId);
    const tree = await treeOf(tx, edit.storeId);
    const current = found(tree, id);
    requireUnchanged('category', ifMatch, current.updated_at);
    const fieldErrors = new FieldErrors();
    const changed = {
      ...current,
      ...(sent.name !== undefined && { name: nameIn(sent.name, fieldErrors) }),
      ...(sent.parentId !== undefined && { parent_id: parentIn(tree, sent.parentId, current.id, fieldErrors) }),
    };
    fieldErrors.throwIfAny();
    const details = differences(current, changed, { name: 'name', parent_id: 'parent' });
    if (!details) return;
    if (details.parent) details.parent = [nameOf(tree, current.parent_id), nameOf(tree, changed.parent_id)];
    await queries.writeCategories(tx, edit.storeId, [changed], edit.now);
    await record(tx, 'changed', changed, edit, details);
  });

/** Deletes an empty category only: otherwise its products and subcategories would silently become uncategorized. */
export const deleteCategory = (db: Database, id: string, edit: Edit): Promise<void> =>
  db.transaction(async (tx) => {
    await lockClock(tx, edit.storeId);
    const category = found(await treeOf(tx, edit.storeId), id);
    const { hasCategories, hasProducts } = await queries.contentOf(tx, edit.storeId, category.id);
    if (hasCategories)
      throw new DomainError('category_has_categories', `"${category.name}" has subcategories; move them first.`);
    if (hasProducts)
      throw new DomainError('category_has_products', `"${category.name}" has products; move them first.`);
    await queries.deleteCategory(tx, edit.storeId, category.id);
    await record(tx, 'deleted', category, edit, {});
  });

const treeOf = async (tx: Transaction, storeId: string): Promise<Tree> =>
  new Map((await queries.listCategories(tx, storeId)).map((category) => [category.id, category]));

function found(tree: Tree, id: string): TreeCategory {
  const category = tree.get(asUuid(id) ?? '');
  if (!category) throw notFound('category');
  return category;
}

const nameOf = (tree: Tree, id: string | null) => (id && tree.get(id)?.name) || '';

function nameIn(sent: string, fieldErrors: FieldErrors): string {
  const name = sent.trim();
  if (!name) fieldErrors.add('/name', 'too_short', 'must not be empty');
  return name;
}

/** The new parent, unless it is inside the category being moved. */
function parentIn(tree: Tree, sent: string, moved: string | undefined, fieldErrors: FieldErrors): string | null {
  if (!sent) return null;
  const parent = tree.get(asUuid(sent) ?? '');
  if (!parent) fieldErrors.add('/parentId', 'not_found', 'does not match any category of this store');
  for (let at = parent; at; at = at.parent_id ? tree.get(at.parent_id) : undefined) {
    if (at.id !== moved) continue;
    fieldErrors.add('/parentId', 'circular', 'would put the category below itself');
    break;
  }
  return parent?.id ?? null;
}

/** Also takes a change number, by which open pages and caches learn of the change. */
async function record(
  tx: Transaction,
  action: 'created' | 'changed' | 'deleted',
  { id, name }: queries.StoredCategory,
  { storeId, actor, now }: Edit,
  details: object,
) {
  const subject = { kind: 'category', id, name } as const;
  await recordHistory(tx, { scopeId: storeId, actor, action, subject, details: { ...details }, at: now });
  await tick(tx, storeId, now);
}
