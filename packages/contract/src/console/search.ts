import Type, { type Static } from 'typebox';
import { Product } from '../api/catalog.ts';
import { Body, Filter } from '../api/common.ts';
import { Customer } from '../api/customers.ts';
import { Order } from '../api/orders.ts';

export const SearchQuery = Body({ q: Filter('Number, external id, name, e-mail, phone or SKU.', 100) });
export type SearchQuery = Static<typeof SearchQuery>;

export const FoundOrder = Type.Object({
  ...Type.Pick(Order, ['id', 'number', 'totalAmount', 'currency', 'status']).properties,
  customer: Type.String({ description: 'Name of the buyer.' }),
});
export type FoundOrder = Static<typeof FoundOrder>;

/** The best matches of each kind, at most five. */
export const SearchResults = Type.Object({
  orders: Type.Array(FoundOrder),
  products: Type.Array(Type.Pick(Product, ['id', 'name', 'sku'])),
  customers: Type.Array(Type.Pick(Customer, ['id', 'name', 'phone', 'email'])),
});
export type SearchResults = Static<typeof SearchResults>;
