import Type, { type Static } from 'typebox';
import { Body, Filter, OneOf } from '../common.ts';
import type { EventType } from '../events.ts';
import type { Order } from '../orders.ts';
import type { DeliveryType, OrderStatus, PaymentStatus, PaymentType } from '../references.ts';
import { statusGroups } from '../references.ts';

const Day = (description: string) => Type.String({ format: 'date', description });
const cursor = Type.String({ minLength: 1, maxLength: 1000 });

const view = {
  status: Type.Optional(Filter('Code or id of a status.')),
  payment: Type.Optional(Filter('Code or id of a payment status.')),
  source: Type.Optional(OneOf(['api', 'manual', 'site'], 'Where the order comes from.')),
  from: Type.Optional(Day('First day, in the time zone of the store.')),
  to: Type.Optional(Day('Last day, in the time zone of the store.')),
  q: Type.Optional(Filter('Number, external id, or the beginning of an external id, a name or a phone.', 100)),
};

/** Which orders are looked at; the same in the address of the screen. */
export const OrderView = Body(view);
export type OrderView = Static<typeof OrderView>;

export const OrderPageQuery = Body({ ...view, cursor: Type.Optional(cursor) });
export type OrderPageQuery = Static<typeof OrderPageQuery>;

export const BoardQuery = Body({
  group: OneOf(statusGroups, 'Stage.'),
  cursor: Type.Optional(cursor),
});
export type BoardQuery = Static<typeof BoardQuery>;

export const ProductSearch = Body({ q: Type.Optional(Type.String({ maxLength: 100 })) });
export type ProductSearch = Static<typeof ProductSearch>;

export interface OrderPage {
  data: Order[];
  page: { nextCursor: string | null; hasMore: boolean };
}

/** What an order can be given, and what its ids mean. */
export interface OrderChoices {
  statuses: OrderStatus[];
  paymentStatuses: PaymentStatus[];
  deliveryTypes: DeliveryType[];
  paymentTypes: PaymentType[];
}

export interface OrderAttempt {
  at: string;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
}

/** One event on its way to one endpoint. */
export interface OrderDelivery {
  id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed' | 'stopped' | 'skipped';
  nextAttemptAt: string | null;
  attempts: OrderAttempt[];
  /** Whether it can be sent again: its endpoint is switched on. */
  canResend: boolean;
}

/** What of an order can be edited. */
export const editedParts = ['customer', 'delivery', 'notes'] as const;
export type EditedPart = (typeof editedParts)[number];

export interface TimelineEntry {
  id: string;
  /** An edit is told of here and nowhere else: it is not an event of webhooks. */
  type: EventType | 'order.edited';
  at: string;
  /** The name is '' for the system, and for whoever is not there any more. */
  actor: { kind: 'key' | 'owner' | 'system'; name: string };
  /** The statuses as they are now, where it is about statuses. */
  from: { code: string | null; name: string } | null;
  to: { code: string | null; name: string } | null;
  /** What was edited. */
  edited: EditedPart[];
  deliveries: OrderDelivery[];
}

export interface OrderDetails {
  order: Order;
  /** To be sent as `If-Match` with a change. */
  etag: string;
  /** Newest first. */
  timeline: TimelineEntry[];
}

export interface FoundProduct {
  id: string;
  name: string;
  sku: string;
  externalId: string;
  price: number;
}
