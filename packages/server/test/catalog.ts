import { termChange } from '../src/catalog/search-terms.ts';
import { tick } from '../src/db/clock/store-clock.ts';
import { writeTerms } from '../src/db/search/record-terms.ts';
import { sql } from '../src/db/sql.ts';
import { uuid } from '../src/db/uuid.ts';
import { nameKey } from '../src/text/names.ts';
import type { Service } from './service.ts';

interface Details {
  sku?: string;
  externalId?: string;
  name?: string;
  price?: number;
  isActive?: boolean;
  categoryId?: string | null;
}

export async function addCategory(
  { db, clock }: Service,
  storeId: string,
  name: string,
  parentId: string | null = null,
) {
  const id = uuid(clock.now);
  await db.transaction(async (tx) => {
    const { at } = await tick(tx, storeId, clock.now);
    await tx.run(
      sql`insert into categories (store_id, id, name, parent_id, created_at, updated_at)
          values (${storeId}, ${id}, ${name}, ${parentId}, ${at}, ${at})`,
    );
  });
  return id;
}

/** Inserts a product, which the API cannot create. */
export async function addProduct({ db, clock }: Service, storeId: string, details: Details = {}) {
  const { sku = null, externalId = null, name = 'Tea', price = 15_000, isActive = true, categoryId = null } = details;
  const id = uuid(clock.now);
  await db.transaction(async (tx) => {
    const { at, seq } = await tick(tx, storeId, clock.now);
    await tx.run(
      sql`insert into products (store_id, id, external_id, sku, name, name_key, price, category_id, is_active, created_at, updated_at, seq)
          values (${storeId}, ${id}, ${externalId}, ${sku}, ${name}, ${nameKey(name)}, ${price}, ${categoryId}, ${isActive}, ${at}, ${at}, ${seq})`,
    );
    await writeTerms(tx, 'products', storeId, [termChange(id, undefined, { name, sku, external_id: externalId })]);
  });
  return id;
}
