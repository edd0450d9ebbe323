import { type AddressField, addressFields, type Order, type OrderItem } from '@store-sales/contract';

/**
 * What of an order is kept as it is sent: every field that changes only with the order itself. Status,
 * payment status and `updatedAt` are not in it: they are joined in by the statement that reads it.
 */
export type OrderDocument = Omit<Order, 'updatedAt' | 'status' | 'paymentStatus' | 'items'>;

export type Address = { [Field in AddressField]: string };

export const addressOf = (sent: { [Field in AddressField]?: string }): Address =>
  Object.fromEntries(addressFields.map((field) => [field, sent[field] ?? ''])) as Address;

/** The members of the object, without its braces, so that the statement can put more behind them. */
export const writeDocument = (document: OrderDocument) => JSON.stringify(document).slice(1, -1);

export const readDocument = (members: string) => JSON.parse(`{${members}}`) as OrderDocument;

export const writeItems = (items: readonly OrderItem[]) => JSON.stringify(items);
