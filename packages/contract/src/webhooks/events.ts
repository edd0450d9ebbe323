import Type, { type Static } from 'typebox';
import { Body, createdFilters, Filter, Instant, OneOf, pageParameters, Uuid } from '../api/common.ts';
import { type EventType, eventTypes } from './values.ts';

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

export const EventQuery = Body({
  'filter[type]': Type.Optional(OneOf(Object.keys(eventTypes) as EventType[], 'Event type.')),
  'filter[orderId]': Type.Optional({ ...Filter('Order id.'), format: 'uuid' }),
  ...createdFilters,
  order: Type.Optional(
    Type.Enum(['createdAt:desc', 'createdAt:asc'], {
      type: 'string',
      default: 'createdAt:desc',
      description: 'Sort order. Use `createdAt:asc` to follow the events.',
    }),
  ),
  ...pageParameters,
});
export type EventQuery = Static<typeof EventQuery>;

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
