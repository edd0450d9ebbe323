import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, Kopecks, List, Name, OneOf, OrNull, Uuid } from '../api/common.ts';
import { Order } from '../api/orders.ts';
import { DeliveryType, OrderStatus, PaymentStatus, PaymentType } from '../api/references.ts';
import { MAX_AMOUNT, orderSources, statusGroups } from '../api/values.ts';
import { type EventType, eventTypes } from '../webhooks/values.ts';
import { AppliedPromoCode } from './promo.ts';
import { Shortage } from './stock.ts';
import { deliveryStatuses, MAX_SELECTED, orderColumns, orderPeriods, orderSorts } from './values.ts';
import { attemptErrors } from './webhooks.ts';

const Day = (description: string) => Type.String({ format: 'date', description });
const cursor = Type.String({ minLength: 1, maxLength: 1000 });

const view = {
  status: Type.Optional(Filter('Code or id of a status.')),
  payment: Type.Optional(Filter('Code or id of a payment status.')),
  source: Type.Optional(OneOf(orderSources, 'Origin of the order.')),
  from: Type.Optional(Day('First day, in the time zone of the store.')),
  to: Type.Optional(Day('Last day, in the time zone of the store.')),
  due: Type.Optional(OneOf(['yes'], 'Only orders that are not paid in full, without cancelled and returned ones.')),
  metadata: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_.-]{1,40}=[^]{1,500}$',
      description: 'A value of the additional data, as `KEY=VALUE`.',
    }),
  ),
  q: Type.Optional(Filter('Number, external id, name, e-mail, phone, SKU, product, address or note.', 100)),
};

/** The filters of the order list; the screen's URL has the same parameters. */
export const OrderView = Body(view);
export type OrderView = Static<typeof OrderView>;

const order = Type.Optional(OneOf(orderSorts, 'Sort order; `createdAt:desc` by default.'));

const numbers = Type.Optional(
  Type.String({
    pattern: `^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${MAX_SELECTED - 1}}$`,
    description: 'Only orders with these numbers, separated by commas.',
  }),
);

/** What is exported, and for which spreadsheet. */
export const OrderExportQuery = Body({
  ...view,
  order,
  numbers,
  rows: Type.Optional(OneOf(['orders', 'items'], 'A row per order (default) or per item.')),
  decimal: Type.Optional(
    OneOf(['point', 'comma'], 'Decimal separator of the amounts; with a comma, cells are separated by semicolons.'),
  ),
});
export type OrderExportQuery = Static<typeof OrderExportQuery>;

export const OrderPageQuery = Body({
  ...view,
  order,
  numbers,
  with: Type.Optional(OneOf(['items'], 'Include the items of each order.')),
  cursor: Type.Optional(cursor),
});
export type OrderPageQuery = Static<typeof OrderPageQuery>;

const { status: _status, ...boardView } = view;

export const BoardQuery = Body({
  ...boardView,
  group: OneOf(statusGroups, 'Stage.'),
  cursor: Type.Optional(cursor),
});
export type BoardQuery = Static<typeof BoardQuery>;

/** An order of a list, with its version. */
export const ListedOrder = Type.Object({
  ...Order.properties,
  etag: Type.String({ description: 'Version of the order; send it with a change.' }),
});
export type ListedOrder = Static<typeof ListedOrder>;

export const OrderPage = List(ListedOrder);
export type OrderPage = Static<typeof OrderPage>;

const { payment, from, to } = view;
export const OrderCountsQuery = Body({ payment, from, to });
export type OrderCountsQuery = Static<typeof OrderCountsQuery>;

const Count = {
  count: Type.Integer({ minimum: 0 }),
  isMore: Type.Boolean({ description: 'There are more: counting stopped at a limit.' }),
  sum: Type.Number({ minimum: 0, description: 'Sum of the totals, in kopecks.' }),
  isSumMore: Type.Boolean({ description: 'The sum is higher: only part of the orders is in it.' }),
};

export const OrderCounts = Type.Object({
  all: Type.Object(Count),
  statuses: Type.Array(Type.Object({ id: Type.String(), ...Count })),
});
export type OrderCounts = Static<typeof OrderCounts>;

const savedView = {
  name: Name('Name of the view, unique in the store.'),
  filters: Body({ ...view, order, period: Type.Optional(OneOf(orderPeriods, 'Replaces `from` and `to`.')) }),
  columns: Type.Array(OneOf(orderColumns, 'Column.'), { maxItems: orderColumns.length, uniqueItems: true }),
};

export const SaveOrderView = Body(savedView);
export type SaveOrderView = Static<typeof SaveOrderView>;

/** A saved view of the order list. */
export const SavedOrderView = Type.Object({ id: Type.String(), ...savedView });
export type SavedOrderView = Static<typeof SavedOrderView>;

/** Changes the status or the payment status of many orders. */
export const BulkChange = Body({
  change: Body(
    {
      statusId: Type.Optional(Uuid('Id of a status of the store.')),
      paymentStatusId: Type.Optional(Uuid('Id of a payment status of the store.')),
    },
    { minProperties: 1 },
  ),
  orders: Type.Array(
    Body({
      id: Uuid('Id of an order.'),
      etag: Type.String({ minLength: 1, maxLength: 100, description: 'Its version.' }),
    }),
    { minItems: 1, maxItems: MAX_SELECTED },
  ),
});
export type BulkChange = Static<typeof BulkChange>;

export const bulkOutcomes = ['changed', 'unchanged', 'conflict', 'not_found', 'rejected'] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

export const BulkResult = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      outcome: OneOf(
        bulkOutcomes,
        '`unchanged`: it already was so. `conflict`: another version than sent. `rejected`: the status was disabled meanwhile.',
      ),
    }),
    { description: 'In the order of the request.' },
  ),
});
export type BulkResult = Static<typeof BulkResult>;

/** Sets the tracking numbers of many orders. */
export const TrackOrders = Body({
  orders: Type.Array(
    Body({
      number: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'Number of an order.' }),
      trackingNumber: Type.String({ maxLength: 100, description: 'Number of its parcel.' }),
    }),
    { minItems: 1, maxItems: MAX_SELECTED },
  ),
});
export type TrackOrders = Static<typeof TrackOrders>;

export const TrackResult = Type.Object({
  results: Type.Array(
    Type.Object({
      number: Type.Integer(),
      outcome: OneOf(['changed', 'unchanged', 'not_found'], '`unchanged`: it already had this number.'),
    }),
    { description: 'In the order of the request.' },
  ),
});
export type TrackResult = Static<typeof TrackResult>;

/** The reference lists that an order refers to. */
export const OrderChoices = Type.Object({
  statuses: Type.Array(OrderStatus),
  paymentStatuses: Type.Array(PaymentStatus),
  deliveryTypes: Type.Array(DeliveryType),
  paymentTypes: Type.Array(PaymentType),
});
export type OrderChoices = Static<typeof OrderChoices>;

export const OrderAttempt = Type.Object({
  at: Instant('Start of the attempt.'),
  durationMs: Type.Number(),
  responseStatus: OrNull(Type.Integer(), 'Null without a response.'),
  error: OrNull(OneOf(attemptErrors, 'Why it failed.'), 'Null after a success.'),
});
export type OrderAttempt = Static<typeof OrderAttempt>;

/** The delivery of one event to one endpoint. */
export const OrderDelivery = Type.Object({
  id: Type.String(),
  url: Type.String(),
  status: OneOf(deliveryStatuses, 'State of the delivery.'),
  nextAttemptAt: OrNull(Instant('Time of the next attempt.'), 'Null if none is due.'),
  attempts: Type.Array(OrderAttempt),
  canResend: Type.Boolean({ description: 'Whether it can be sent again: its endpoint is enabled.' }),
});
export type OrderDelivery = Static<typeof OrderDelivery>;

/** The parts of an order that can be edited. `delivery` is the address. */
export const editedParts = [
  'customer',
  'items',
  'delivery',
  'deliveryType',
  'deliveryCost',
  'paymentType',
  'promoCode',
  'discount',
  'paidAmount',
  'tracking',
  'notes',
  'metadata',
] as const;
export type EditedPart = (typeof editedParts)[number];

export const LineCounts = Type.Object({ added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer() });
export type LineCounts = Static<typeof LineCounts>;

export const TotalChange = Type.Object({ from: Kopecks('Total before.'), to: Kopecks('Total after.') });
export type TotalChange = Static<typeof TotalChange>;

const NamedStatus = OrNull(
  Type.Object({ code: OrNull(Type.String(), 'Code of a system status.'), name: Type.String() }),
  'The status, with its current name; null if the entry is not about statuses.',
);

export const TimelineEntry = Type.Object({
  id: Type.String(),
  type: OneOf(
    [...(Object.keys(eventTypes) as EventType[]), 'order.edited', 'order.mailed'],
    'A webhook event, or `order.edited` or `order.mailed`, which are only shown here.',
  ),
  at: Instant('When it happened.'),
  actor: Type.Object({
    kind: OneOf(['key', 'owner', 'system'], 'Kind of actor.'),
    name: Type.String({ description: 'Empty for the system and for an actor that no longer exists.' }),
  }),
  from: NamedStatus,
  to: NamedStatus,
  edited: Type.Array(OneOf(editedParts, 'An edited part.')),
  mail: OrNull(
    Type.Object({
      kind: OneOf(['status', 'message'], 'By a status, or from a member.'),
      isSent: Type.Boolean({ description: 'False above the limit of the store or the address.' }),
      text: Type.String({ description: 'Of a message.' }),
    }),
    'A mail to the customer.',
  ),
  lines: OrNull(LineCounts, 'Lines edited; null if no lines were.'),
  total: OrNull(TotalChange, 'Null if the total stayed the same.'),
  deliveries: Type.Array(OrderDelivery),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const OrderDetails = Type.Object({
  order: Order,
  promo: OrNull(AppliedPromoCode, 'Null if the order uses none, also if it has the text of one.'),
  etag: Type.String({ description: 'Send it as `If-Match` with a change.' }),
  timeline: Type.Array(TimelineEntry, { description: 'Newest first.' }),
  shortages: Type.Array(Shortage, {
    description:
      'Products that the order has taken from warehouses which are below zero now; none once it is completed.',
  }),
});
export type OrderDetails = Static<typeof OrderDetails>;
