import { type AddressField, addressFields, type Order, type OrderItem } from '@store-sales/contract';

/**
 * The part of an order that is stored as response JSON: every field that changes only with the order itself. The query
 * joins in what has a column of its own, and what is shown as it is at present: statuses and the tracking address.
 */
export type OrderDocument = Omit<Order, 'status' | 'paymentStatus' | 'items' | 'delivery' | 'paidAmount'> & {
  delivery: Omit<Order['delivery'], 'trackingUrl'>;
};

export type Address = { [Field in AddressField]: string };

export const addressOf = (sent: { [Field in AddressField]?: string }): Address =>
  Object.fromEntries(addressFields.map((field) => [field, sent[field] ?? ''])) as Address;

/** The columns of a document: the JSON of the order, cut where a statement inserts what it joins in. */
export interface DocumentParts {
  /** `{` and the members before the statuses. Ends with `updatedAt`, which has a fixed length, so that a statement can replace it. */
  document_head: string;
  /** The members after the statuses, each after a comma, up to the tracking address, which is the last member of `delivery`. */
  document: string;
  /** The members between the delivery and the items, each after a comma. */
  document_rest: string;
  /** The members that the specification does not have, each after a comma, and `}`. */
  document_tail: string;
}

export function writeDocument(order: OrderDocument): DocumentParts {
  const { id, externalId, createdAt, updatedAt, number, metadata, paymentType, source, notes, ...rest } = order;
  // `delivery` is the last, so that its brace is the last character.
  const { delivery, ...before } = rest;
  return {
    document_head: `{${membersOf({ id, externalId, createdAt })},${stampOf(updatedAt)}`,
    document: `,${membersOf({ ...before, delivery }).slice(0, -1)}`,
    document_rest: `,${membersOf({ source, notes })}`,
    document_tail: `,${membersOf({ number, metadata, paymentType })}}`,
  };
}

const membersOf = (value: object) => JSON.stringify(value).slice(1, -1);

/** The end of the head of a document changed at this time. */
export const stampOf = (updatedAt: string) => `"updatedAt":"${updatedAt}"`;
export const STAMP_LENGTH = stampOf(new Date(0).toISOString()).length;

export const readDocument = ({ document_head, document, document_rest, document_tail }: DocumentParts) =>
  JSON.parse(`${document_head}${document}}${document_rest}${document_tail}`) as OrderDocument;

export const writeItems = (items: readonly OrderItem[]) => JSON.stringify(items);

export const readItems = (items: string) => JSON.parse(items) as OrderItem[];

/** An order as it is stored. */
export interface StoredOrder extends DocumentParts {
  items: string;
  paid_amount: number;
  /** The promo code that it uses, and the part of the discount that this is. */
  promo_code_id: string | null;
  promo_discount: number;
  /** The tracking number as a part of an address; null without one. */
  tracking_code: string | null;
}

/** What an order shows as it is at present: its statuses as JSON, and the address template of its delivery type. */
export interface PresentJson {
  status: string;
  payment_status: string;
  tracking_template: string;
}

export const trackingCode = (trackingNumber: string) => (trackingNumber ? encodeURIComponent(trackingNumber) : null);

/** The response that shows an order, as `show` in orders.queries.ts builds it in SQL. */
export function showOrder(order: StoredOrder, { status, payment_status, tracking_template }: PresentJson) {
  const { document_head, document, document_rest, document_tail, items, paid_amount, tracking_code } = order;
  const url = JSON.stringify(tracking_code === null ? '' : tracking_template.replaceAll('{number}', tracking_code));
  return Buffer.from(
    `{"data":${document_head},"status":${status},"paymentStatus":${payment_status}${document},"trackingUrl":${url}}${document_rest},"items":${items},"paidAmount":${paid_amount}${document_tail}}`,
  );
}
