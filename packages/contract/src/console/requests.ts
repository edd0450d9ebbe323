import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull, Uuid } from '../api/common.ts';

const Day = (description: string) => Type.String({ format: 'date', description });

export const requestMethods = ['GET', 'HEAD', 'POST', 'PATCH'] as const;

const filter = {
  key: Type.Optional(Uuid('Only requests with this key.')),
  status: Type.Optional(
    Type.String({ pattern: '^[1-5](\\d\\d|xx)$', description: 'A status such as `422`, or a class such as `4xx`.' }),
  ),
  method: Type.Optional(OneOf(requestMethods, 'Only requests with this method.')),
  route: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A path such as `/orders/{id}`.' })),
  requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  from: Type.Optional(Day('First day, in the time zone of the store.')),
  to: Type.Optional(Day('Last day, in the time zone of the store.')),
};

export const RequestFilter = Body(filter);
export type RequestFilter = Static<typeof RequestFilter>;

export const RequestQuery = Body({
  ...filter,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type RequestQuery = Static<typeof RequestQuery>;

const request = {
  id: Type.String(),
  at: Instant('When the response was sent.'),
  key: Type.Object({ id: Type.String(), name: OrNull(Type.String(), 'Null if the key is no longer listed.') }),
  method: Type.String(),
  route: Type.String({ description: 'The path without its values: `/orders/{id}`.' }),
  status: Type.Integer(),
  code: OrNull(Type.String(), 'Null if the request succeeded.'),
  durationMs: Type.Integer(),
  requestId: Type.String(),
};

export const LoggedRequest = Type.Object(request);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestDetails = Type.Object({
  ...request,
  address: Type.String({ description: 'IP address of the client.' }),
  query: Type.String(),
  problem: OrNull(Type.Record(Type.String(), Type.Unknown()), 'The problem document of a refused request.'),
});
export type RequestDetails = Static<typeof RequestDetails>;

export const RequestPage = Type.Object({
  requests: Type.Array(LoggedRequest),
  nextCursor: OrNull(Type.String(), 'Null on the last page.'),
});
export type RequestPage = Static<typeof RequestPage>;

export const RequestCounts = Type.Object({
  keptDays: Type.Integer({ description: 'How long lines are kept; 0 if requests are not logged.' }),
  routes: Type.Array(Type.String(), { description: 'All requests of the API, such as `GET /orders`.' }),
  days: Type.Array(
    Type.Object({
      date: Day("In the store's time zone."),
      succeeded: Type.Integer({ description: 'Status below 400.' }),
      refused: Type.Integer({ description: 'Status 4xx.' }),
      failed: Type.Integer({ description: 'Status 5xx.' }),
    }),
  ),
  statuses: Type.Array(Type.Object({ status: Type.Integer(), count: Type.Integer() })),
});
export type RequestCounts = Static<typeof RequestCounts>;
