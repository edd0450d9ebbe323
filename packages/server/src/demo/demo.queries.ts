import type { Transaction } from '../db/database.ts';
import { rows, sql } from '../db/sql.ts';
import { nameKey } from '../names.ts';

export interface DemoCategory {
  id: string;
  externalId: string;
  name: string;
  parentId: string | null;
}

export const insertCategories = (tx: Transaction, storeId: string, categories: readonly DemoCategory[], at: number) =>
  tx.run(
    sql`insert into categories (store_id, id, external_id, name, parent_id, created_at, updated_at)
        values ${rows(categories.map(({ id, externalId, name, parentId }) => [storeId, id, externalId, name, parentId, at, at]))}`,
  );

export interface DemoProduct {
  id: string;
  externalId: string;
  sku: string;
  name: string;
  price: number;
  categoryId: string;
}

/** `lastSeq` is the last of a block of as many change numbers as there are products. */
export const insertProducts = (
  tx: Transaction,
  storeId: string,
  products: readonly DemoProduct[],
  at: number,
  lastSeq: number,
) =>
  tx.run(
    sql`insert into products (store_id, id, external_id, sku, name, name_key, price, category_id, created_at, updated_at,
          seq)
        values ${rows(
          products.map(({ id, externalId, sku, name, price, categoryId }, index) => {
            return [
              storeId,
              id,
              externalId,
              sku,
              name,
              nameKey(name),
              price,
              categoryId,
              at,
              at,
              lastSeq - products.length + 1 + index,
            ];
          }),
        )}`,
  );
