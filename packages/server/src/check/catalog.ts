import { productTerms } from '../catalog/search-terms.ts';
import { empty, sql } from '../db/sql.ts';
import { nameKey } from '../text/names.ts';
import type { RowRule } from './rows.ts';
import type { Rule } from './rule.ts';
import { hasTerms, termsOf } from './search.ts';

interface ProductRow {
  store_id: string;
  id: string;
  external_id: string | null;
  sku: string | null;
  name: string;
  name_key: string;
  terms: string | null;
}

export const products: RowRule<ProductRow> = {
  table: 'products',
  key: ['id'],
  columns: ({ dialect }) =>
    sql`t.store_id, t.id, t.external_id, t.sku, t.name, t.name_key, ${termsOf(dialect, 'products')}`,
  *problems(product) {
    if (product.name_key !== nameKey(product.name)) yield ['product_keys', 'is sorted by another text than its name'];
    if (!hasTerms(product, productTerms(product))) yield ['product_search', 'is found by other words than its own'];
  },
};

export const categories: readonly Rule[] = [
  {
    kind: 'category_in_circle',
    promise: 'no category is inside itself',
    broken: (_, { storeId }) => {
      const there = storeId ? sql`and c.store_id = ${storeId}` : empty;
      return sql`with recursive reached as (
            select c.store_id, c.id from categories c where c.parent_id is null ${there}
            union all
            select c.store_id, c.id from reached r join categories c on c.store_id = r.store_id and c.parent_id = r.id)
          select c.store_id, c.id, 'is inside itself' as message from categories c
          where not exists (select 1 from reached r where r.store_id = c.store_id and r.id = c.id) ${there}`;
    },
  },
];
