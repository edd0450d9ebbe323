import { type AddressField, addressFields, type Order, type OrderItem } from '@store-sales/contract';

/**
 * The part of an order that is stored as response JSON: every field that changes only with the order itself. Statuses
 * are joined in by the query, under their current names.
 */
export type OrderDocument = Omit<Order, 'status' | 'paymentStatus' | 'items'>;

export type Address = { [Field in AddressField]: string };

export const addressOf = (sent: { [Field in AddressField]?: string }): Address =>
  Object.fromEntries(addressFields.map((field) => [field, sent[field] ?? ''])) as Address;

/** The columns of a document: the JSON of the order, cut where a statement inserts the statuses and the items. */
export interface DocumentParts {
  /** `{` and the members before the statuses. Ends with `updatedAt`, which has a fixed length, so that a statement can replace it. */
  document_head: string;
  /** The members between the statuses and the items, each after a comma. */
  document: string;
  /** The members that the specification does not have, each after a comma, and `}`. */
  document_tail: string;
}

export function writeDocument(order: OrderDocument): DocumentParts {
  const { id, externalId, createdAt, updatedAt, number, paymentType, ...rest } = order;
  return {
    document_head: `{${membersOf({ id, externalId, createdAt })},${stampOf(updatedAt)}`,
    document: `,${membersOf(rest)}`,
    document_tail: `,${membersOf({ number, paymentType })}}`,
  };
}

const membersOf = (value: object) => JSON.stringify(value).slice(1, -1);

/** The end of the head of a document changed at this time. */
export const stampOf = (updatedAt: string) => `"updatedAt":"${updatedAt}"`;
export const STAMP_LENGTH = stampOf(new Date(0).toISOString()).length;

export const readDocument = ({ document_head, document, document_tail }: DocumentParts) =>
  JSON.parse(document_head + document + document_tail) as OrderDocument;

export const writeItems = (items: readonly OrderItem[]) => JSON.stringify(items);
