import { columnTypes, type Engine } from './frozen.ts';

/** The picture of a product, and the index for sorting products by price. */
export const productImage = {
  name: 'product-image',
  statements(engine: Engine): string[] {
    const { text } = columnTypes[engine];
    return [
      // A node of an earlier version leaves it as it is.
      `alter table products add column image_url ${text} not null default ''`,
      'create index products_price on products (store_id, price, id)',
    ];
  },
};
