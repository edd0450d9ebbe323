import Type, { type Static } from 'typebox';
import { Body, OneOf } from '../common.ts';
import { type EventType, eventTypes } from '../events.ts';

const Url = Type.String({ minLength: 1, maxLength: 2000 });
const Events = Type.Array(OneOf(Object.keys(eventTypes) as EventType[], 'An event.'), { minItems: 1, maxItems: 20 });

export const CreateEndpoint = Body({ url: Url, events: Events });
export type CreateEndpoint = Static<typeof CreateEndpoint>;

export const ChangeEndpoint = Body({ url: Type.Optional(Url), events: Type.Optional(Events) }, { minProperties: 1 });
export type ChangeEndpoint = Static<typeof ChangeEndpoint>;

export const EnableEndpoint = Body({ sendMissed: Type.Boolean() });
export type EnableEndpoint = Static<typeof EnableEndpoint>;

export const deliveryStates = ['pending', 'delivered', 'failed', 'stopped', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveredTypes = [...(Object.keys(eventTypes) as EventType[]), 'ping'] as const;
export type DeliveredType = EventType | 'ping';

const filter = {
  status: Type.Optional(OneOf(deliveryStates, 'Only deliveries in this state.')),
  type: Type.Optional(OneOf(deliveredTypes as unknown as DeliveredType[], 'Only deliveries of this event.')),
  order: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Number, id or external id of an order.' }),
  ),
};

/** Which deliveries are meant: those of the log that is looked at, or all that are to be sent again. */
export const DeliveryFilter = Body(filter);
export type DeliveryFilter = Static<typeof DeliveryFilter>;

export const DeliveryQuery = Body({
  ...filter,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

/** One hour of an endpoint. */
export interface EndpointHour {
  at: string;
  attempts: number;
  successes: number;
  averageMs: number;
}

/** How an endpoint did in the last 24 hours. */
export interface EndpointHealth {
  attempts: number;
  /** From 0 to 1; null when nothing was sent. */
  successShare: number | null;
  averageMs: number | null;
  slowestMs: number | null;
  /** Always 24, the oldest first. */
  hours: EndpointHour[];
}

export interface Endpoint {
  id: string;
  url: string;
  events: EventType[];
  isActive: boolean;
  /** Who switched it off. */
  disabledBy: 'failures' | 'owner' | 'plan' | null;
  disabledAt: string | null;
  /** Failed attempts in a row. */
  failures: number;
  failingSince: string | null;
  /** Until when the secret before the present one signs too; null when there is none. */
  previousSecretUntil: string | null;
  createdAt: string;
  health: EndpointHealth;
}

/** The only time the secret is seen. */
export interface EndpointSecret {
  id: string;
  secret: string;
}

export interface EndpointNotice {
  kind: 'warning' | 'disabled' | 'enabled';
  failures: number;
  at: string;
}

/** A number that is counted only so far. */
export interface Counted {
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
}

export interface EndpointDetails extends Endpoint {
  /** Warnings and switching, newest first. */
  notices: EndpointNotice[];
  /** Deliveries that were stopped or skipped while it was off. */
  missed: Counted;
}

export interface DeliveryAttempt {
  at: string;
  durationMs: number;
  responseStatus: number | null;
  /** One of a fixed set of words, which the console translates; null after a success. */
  error: string | null;
  /** The first 4 KiB of the answer. */
  responseBody: string;
}

export interface Delivery {
  id: string;
  eventId: string;
  type: DeliveredType;
  order: { id: string; number: number | null } | null;
  status: DeliveryState;
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: DeliveryAttempt[];
}

export interface DeliveryPage {
  deliveries: Delivery[];
  /** Continues the list; null at its end. A page may be short, or empty, and still be followed by another. */
  nextCursor: string | null;
}

/** How many deliveries would be sent again, and how many of these were delivered already. */
export interface Resendable extends Counted {
  delivered: number;
}
