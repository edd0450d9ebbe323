import Type, { type TSchema } from 'typebox';
import { CODE, MAX_AMOUNT, sortOrders } from './values.ts';

/** Header of a creation that may be repeated. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$';

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** Matches a UUID, and `""`, which clears the field. */
export const UUID_OR_EMPTY = '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$';

export const UuidOrEmpty = (description: string) => Type.String({ pattern: UUID_OR_EMPTY, description });

/** A date-time in a response: UTC, milliseconds, `Z`. */
export const Instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-09-27T10:15:30.125Z'] });

export const Kopecks = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description, examples: [150000] });

export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });

/** Something around an `@`, without spaces and control characters, or empty. NUL is rejected in every text. */
export const EMAIL_OR_EMPTY = '^([^\\s@\\x01-\\x1f\\x7f-\\x9f]+@[^\\s@\\x01-\\x1f\\x7f-\\x9f]+)?$';

export const EmailOrEmpty = (description: string) =>
  Type.String({ pattern: EMAIL_OR_EMPTY, maxLength: 254, description, examples: ['anna@example.com'] });

export const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const Code = (description: string) => Type.String({ pattern: CODE, description, examples: ['main-warehouse'] });

export const OneOf = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Enum(values, { type: 'string', description });

export const OrNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const MAX_METADATA_KEYS = 20;
const metadata = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$' },
  additionalProperties: { type: 'string', maxLength: 500 },
};
/** Texts of the client's own, by key. */
export const Metadata = (description: string, options: object = {}) =>
  Type.Unsafe<Record<string, string>>({ ...metadata, ...options, description });

export const MetadataFilter = (description: string) =>
  Metadata(description, {
    maxProperties: MAX_METADATA_KEYS,
    additionalProperties: { ...metadata.additionalProperties, minLength: 1 },
  });

export const Single = <Schema extends TSchema>(record: Schema) => Type.Object({ data: record });

export const Page = Type.Object(
  {
    nextCursor: OrNull(Type.String(), 'Pass it as `cursor` to get the next page; null on the last page.'),
    hasMore: Type.Boolean({ description: 'Whether there are more records after this page.' }),
  },
  { description: 'Pagination.' },
);

export const SyncedPage = Type.Object(
  {
    ...Page.properties,
    syncCursor: Type.Optional(
      Type.String({
        description:
          'Only in the order `updatedAt:asc` (events: `createdAt:asc`), and there on every page: sent as `cursor` with the same filters, it returns what changed after this page.',
      }),
    ),
  },
  { description: 'Pagination of a list that a client can follow.' },
);

/** A list that a client can follow. */
export const SyncedList = <Schema extends TSchema>(record: Schema) =>
  Type.Object({ data: Type.Array(record), page: SyncedPage });

export const List = <Schema extends TSchema>(record: Schema) => Type.Object({ data: Type.Array(record), page: Page });

/** An object that rejects unknown fields. */
export const Body = <Properties extends Record<string, TSchema>>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A date-time in a request: RFC 3339 with `Z` or an offset. Parsed by the server's `time/instant.ts`. */
const InstantIn = (description: string) =>
  Type.String({ format: 'date-time', minLength: 1, description, examples: ['2026-09-27T13:15:30+03:00'] });

export const Filter = (description: string, maxLength = 255) => Type.String({ minLength: 1, maxLength, description });

export const createdFilters = {
  'filter[createdAt][from]': Type.Optional(InstantIn('Only records created at or after this time.')),
  'filter[createdAt][to]': Type.Optional(InstantIn('Only records created at or before this time.')),
};

export const pageParameters = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        '`page.nextCursor` of the previous response, valid only with the same `order`; or a `page.syncCursor`, valid only with the same filters too.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Maximum number of records per page.' }),
  ),
};

/** Parameters of every list of records that change. */
export const listParameters = {
  ...createdFilters,
  'filter[updatedAt][from]': Type.Optional(InstantIn('Only records last changed at or after this time.')),
  'filter[updatedAt][to]': Type.Optional(InstantIn('Only records last changed at or before this time.')),
  order: Type.Optional(
    Type.Enum([...sortOrders], {
      type: 'string',
      default: 'createdAt:desc',
      description: 'Sort order. Use `updatedAt:asc` for incremental synchronization.',
    }),
  ),
  ...pageParameters,
};
