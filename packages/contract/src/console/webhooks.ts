import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull } from '../api/common.ts';
import { type EventType, eventTypes } from '../webhooks/values.ts';
import { type DeliveredType, deliveredTypes, deliveryStatuses } from './values.ts';

const Url = Type.String({ minLength: 1, maxLength: 2000 });
const Events = Type.Array(OneOf(Object.keys(eventTypes) as EventType[], 'An event.'), { minItems: 1, maxItems: 20 });

export const CreateEndpoint = Body({ url: Url, events: Events });
export type CreateEndpoint = Static<typeof CreateEndpoint>;

export const ChangeEndpoint = Body({ url: Type.Optional(Url), events: Type.Optional(Events) }, { minProperties: 1 });
export type ChangeEndpoint = Static<typeof ChangeEndpoint>;

export const EnableEndpoint = Body({ sendMissed: Type.Boolean() });
export type EnableEndpoint = Static<typeof EnableEndpoint>;

const filter = {
  status: Type.Optional(OneOf(deliveryStatuses, 'Only deliveries in this state.')),
  type: Type.Optional(OneOf(deliveredTypes as unknown as DeliveredType[], 'Only deliveries of this event.')),
  order: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Number, id or external id of an order.' }),
  ),
};

/** The filters of the delivery log, also used to choose what to resend. */
export const DeliveryFilter = Body(filter);
export type DeliveryFilter = Static<typeof DeliveryFilter>;

export const DeliveryQuery = Body({
  ...filter,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

/** Health of an endpoint over the last 24 hours. */
export const EndpointHealth = Type.Object({
  attempts: Type.Integer(),
  successShare: OrNull(Type.Number(), 'From 0 to 1; null if nothing was sent.'),
  averageMs: OrNull(Type.Number(), 'Null if nothing was sent.'),
  slowestMs: OrNull(Type.Number(), 'Null if nothing was sent.'),
  hours: Type.Array(
    Type.Object({
      at: Instant('Start of the hour.'),
      attempts: Type.Integer(),
      successes: Type.Integer(),
      averageMs: Type.Number(),
    }),
    { description: 'Always 24, oldest first.' },
  ),
});
export type EndpointHealth = Static<typeof EndpointHealth>;
export type EndpointHour = EndpointHealth['hours'][number];

/** Why an endpoint is disabled: it failed too often, by its owner, or because the store left the Optimal plan. */
export const disabledReasons = ['failures', 'owner', 'plan'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(OneOf(Object.keys(eventTypes) as EventType[], 'An event.')),
  isActive: Type.Boolean(),
  disabledReason: OrNull(OneOf(disabledReasons, 'Why it was disabled.'), 'Null while enabled.'),
  disabledAt: OrNull(Instant('When it was disabled.'), 'Null while enabled.'),
  failures: Type.Integer({ description: 'Consecutive failed attempts.' }),
  failingSince: OrNull(Instant('Time of the first of these failures.'), 'Null without failures.'),
  previousSecretUntil: OrNull(Instant('Until when the previous secret also signs.'), 'Null if there is none.'),
  createdAt: Instant('Creation time.'),
  health: EndpointHealth,
};

export const Endpoint = Type.Object(endpoint);
export type Endpoint = Static<typeof Endpoint>;

/** The secret is shown only once, in this response. */
export const EndpointSecret = Type.Object({ id: Type.String(), secret: Type.String() });
export type EndpointSecret = Static<typeof EndpointSecret>;

export const EndpointNotice = Type.Object({
  kind: OneOf(['warning', 'disabled', 'enabled'], 'Kind of notice.'),
  failures: Type.Integer(),
  at: Instant('When it happened.'),
});
export type EndpointNotice = Static<typeof EndpointNotice>;

const counted = {
  count: Type.Integer({ description: 'Counted up to a limit.' }),
  isMore: Type.Boolean({ description: 'Whether there are more than `count`.' }),
};
export const Counted = Type.Object(counted);
export type Counted = Static<typeof Counted>;

export const EndpointDetails = Type.Object({
  ...endpoint,
  notices: Type.Array(EndpointNotice, { description: 'Newest first.' }),
  missed: Type.Object(counted, { description: 'Deliveries stopped or skipped while it was disabled.' }),
});
export type EndpointDetails = Static<typeof EndpointDetails>;

/** Why an attempt failed. `http_status` and `redirect` are responses; their status is in `responseStatus`. */
export const attemptErrors = [
  'address_not_allowed',
  'name_not_found',
  'dns_failed',
  'connection_refused',
  'host_unreachable',
  'connection_closed',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_wrong_host',
  'certificate_self_signed',
  'certificate_unknown_authority',
  'certificate_invalid',
  'tls_failed',
  'invalid_http',
  'timeout',
  'secret_unreadable',
  'http_status',
  'redirect',
  'failed',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

export const DeliveryAttempt = Type.Object({
  at: Instant('Start of the attempt.'),
  durationMs: Type.Number(),
  responseStatus: OrNull(Type.Integer(), 'Null without a response.'),
  error: OrNull(OneOf(attemptErrors, 'Why it failed.'), 'Null after a success.'),
  responseBody: Type.String({ description: 'The first 4 KiB of the response.' }),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const Delivery = Type.Object({
  id: Type.String(),
  eventId: Type.String(),
  type: OneOf(deliveredTypes as unknown as DeliveredType[], 'The event.'),
  order: OrNull(
    Type.Object({ id: Type.String(), number: OrNull(Type.Integer(), 'Null if the order is unknown.') }),
    'Null for a ping.',
  ),
  status: OneOf(deliveryStatuses, 'State of the delivery.'),
  nextAttemptAt: OrNull(Instant('Time of the next attempt.'), 'Null if none is due.'),
  createdAt: Instant('Creation time.'),
  request: Type.Object(
    { headers: Type.Record(Type.String(), Type.String()), body: Type.String() },
    { description: 'What every attempt sends, except the signature, which is made for each and not kept.' },
  ),
  attempts: Type.Array(DeliveryAttempt),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryPage = Type.Object({
  deliveries: Type.Array(Delivery),
  nextCursor: OrNull(Type.String(), 'Null at the end of the log. A page may be short or empty and not be the last.'),
});
export type DeliveryPage = Static<typeof DeliveryPage>;

/** How many deliveries would be sent again, and how many of these have already been delivered. */
export const Resendable = Type.Object({ ...counted, delivered: Type.Integer() });
export type Resendable = Static<typeof Resendable>;
