import Type, { type Static } from 'typebox';
import { Instant, Uuid } from './common.ts';

/** What an endpoint can subscribe to. */
export const eventTypes = {
  'order.created': 'An order was created, on the site, by hand or through the API',
  'order.status_changed': 'The status of an order changed',
  'order.payment_status_changed': 'The payment status of an order changed',
} as const;
export type EventType = keyof typeof eventTypes;
export const isEventType = (value: string): value is EventType => Object.hasOwn(eventTypes, value);

const id = Uuid('Stays the same across retries and endpoints; skip the ids you have processed.');
const createdAt = Instant('When it happened.');

export const OrderEvent = Type.Object(
  {
    id,
    type: Type.Enum(Object.keys(eventTypes) as EventType[], { type: 'string', description: 'What happened.' }),
    createdAt,
    data: Type.Object(
      {
        orderId: Uuid('Read its present state with `GET /api/v1/orders/{id}`.'),
        externalId: Type.String({ description: 'Order id in an external system.' }),
      },
      { description: 'The order it happened to.' },
    ),
  },
  { description: 'Something happened to an order.' },
);
export type OrderEvent = Static<typeof OrderEvent>;

export const PingEvent = Type.Object(
  {
    id,
    type: Type.Enum(['ping'], { type: 'string', description: 'Always `ping`.' }),
    createdAt,
    data: Type.Object({}, { description: 'Empty.' }),
  },
  { description: 'A test, sent on demand to any endpoint.' },
);
export type PingEvent = Static<typeof PingEvent>;

export const eventHeaders = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
} as const;
