import { type AddressField, addressFields, type Order, type OrderItem } from '@store-sales/contract';

/**
 * What of an order is kept as it is sent: every field that changes only with the order itself. The statuses are
 * not in it: they are joined in under their present names by the statement that reads it.
 */
export type OrderDocument = Omit<Order, 'status' | 'paymentStatus' | 'items'>;

export type Address = { [Field in AddressField]: string };

export const addressOf = (sent: { [Field in AddressField]?: string }): Address =>
  Object.fromEntries(addressFields.map((field) => [field, sent[field] ?? ''])) as Address;

/**
 * The members of the object, without its braces, so that the statement can put more behind them. `updatedAt` comes
 * first and is always as long, so that a statement can put another in its place.
 */
export const writeDocument = ({ updatedAt, ...rest }: OrderDocument) =>
  `${stampOf(updatedAt)}${JSON.stringify(rest).slice(1, -1)}`;

/** The beginning of a document that was changed at this time. */
export const stampOf = (updatedAt: string) => `"updatedAt":"${updatedAt}",`;
export const STAMP_LENGTH = stampOf(new Date(0).toISOString()).length;

/** The document as changed at another time. */
export const stamped = (members: string, updatedAt: string) => stampOf(updatedAt) + members.slice(STAMP_LENGTH);

export const readDocument = (members: string) => JSON.parse(`{${members}}`) as OrderDocument;

export const writeItems = (items: readonly OrderItem[]) => JSON.stringify(items);
