import { type AddressField, addressFields, type Order, type OrderItem } from '@store-sales/contract';

/**
 * The part of an order that is stored as response JSON: every field that changes only with the order itself. Statuses
 * are joined in by the query, under their current names.
 */
export type OrderDocument = Omit<Order, 'status' | 'paymentStatus' | 'items'>;

export type Address = { [Field in AddressField]: string };

export const addressOf = (sent: { [Field in AddressField]?: string }): Address =>
  Object.fromEntries(addressFields.map((field) => [field, sent[field] ?? ''])) as Address;

/**
 * The members of the object without braces, so that a statement can append more. `updatedAt` comes first and has a
 * fixed length, so that a statement can replace it.
 */
export const writeDocument = ({ updatedAt, ...rest }: OrderDocument) =>
  `${stampOf(updatedAt)}${JSON.stringify(rest).slice(1, -1)}`;

/** The start of a document changed at this time. */
export const stampOf = (updatedAt: string) => `"updatedAt":"${updatedAt}",`;
export const STAMP_LENGTH = stampOf(new Date(0).toISOString()).length;

/** The document with another `updatedAt`. */
export const stamped = (members: string, updatedAt: string) => stampOf(updatedAt) + members.slice(STAMP_LENGTH);

export const readDocument = (members: string) => JSON.parse(`{${members}}`) as OrderDocument;

export const writeItems = (items: readonly OrderItem[]) => JSON.stringify(items);
