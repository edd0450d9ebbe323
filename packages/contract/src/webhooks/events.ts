import Type, { type Static } from 'typebox';
import { Instant, Uuid } from '../api/common.ts';

/** Events that an endpoint can subscribe to. */
export const eventTypes = {
  'order.created': 'An order is created (from the site, by hand or through the API)',
  'order.status_changed': 'The status of an order changes',
  'order.payment_status_changed': 'The payment status of an order changes',
} as const;
export type EventType = keyof typeof eventTypes;
export const isEventType = (value: string): value is EventType => Object.hasOwn(eventTypes, value);

const id = Uuid('Event id, the same for all retries and endpoints. Skip ids that you have already processed.');
const createdAt = Instant('Time of the event.');

export const OrderEvent = Type.Object(
  {
    id,
    type: Type.Enum(Object.keys(eventTypes) as EventType[], { type: 'string', description: 'Event type.' }),
    createdAt,
    data: Type.Object(
      {
        orderId: Uuid('Order id. Read the current state with `GET /api/v1/orders/{id}`.'),
        externalId: Type.String({ description: 'Order id in an external system.' }),
      },
      { description: 'The order of the event.' },
    ),
  },
  { description: 'An order event.' },
);
export type OrderEvent = Static<typeof OrderEvent>;

export const PingEvent = Type.Object(
  {
    id,
    type: Type.Enum(['ping'], { type: 'string', description: 'Always `ping`.' }),
    createdAt,
    data: Type.Object({}, { description: 'Empty.' }),
  },
  { description: 'A test event, sent on request to any endpoint.' },
);
export type PingEvent = Static<typeof PingEvent>;

export const eventHeaders = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
} as const;

/** The headers of Standard Webhooks, for receivers that use its libraries. The id is that of the event. */
export const standardHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
