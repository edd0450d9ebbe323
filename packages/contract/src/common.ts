import Type, { type TSchema } from 'typebox';

/** The largest amount that every party can hold exactly: 2^53 − 1. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** A date-time that we send: UTC, milliseconds, `Z`. */
export const Instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-09-27T10:15:30.125Z'] });

export const Kopecks = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description, examples: [150000] });

export const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });

export const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const Code = (description: string) =>
  Type.String({ pattern: '^[a-z0-9_-]{1,64}$', description, examples: ['main-warehouse'] });

export const OneOf = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Enum(values, { type: 'string', description });

export const OrNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Single = <Schema extends TSchema>(record: Schema) => Type.Object({ data: record });

export const Page = Type.Object(
  {
    nextCursor: OrNull(Type.String(), 'Pass as `cursor` to get the next page; null on the last one.'),
    hasMore: Type.Boolean({ description: 'Whether more records follow.' }),
  },
  { description: 'Where this page stands in the list.' },
);

export const List = <Schema extends TSchema>(record: Schema) => Type.Object({ data: Type.Array(record), page: Page });

/** A body that refuses what it does not know: nothing the caller sent is silently ignored. */
export const Body = <Properties extends Record<string, TSchema>>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A date-time that we accept: RFC 3339 with `Z` or an offset. Checked by `instant.ts`, which also reads it. */
const InstantIn = (description: string) =>
  Type.String({ format: 'date-time', minLength: 1, description, examples: ['2026-09-27T13:15:30+03:00'] });

export const Filter = (description: string, maxLength = 255) => Type.String({ minLength: 1, maxLength, description });

export const sortOrders = ['createdAt:desc', 'createdAt:asc', 'updatedAt:desc', 'updatedAt:asc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The parameters that every paged list shares. */
export const listParameters = {
  'filter[createdAt][from]': Type.Optional(InstantIn('Created not earlier than, inclusive.')),
  'filter[createdAt][to]': Type.Optional(InstantIn('Created not later than, inclusive.')),
  'filter[updatedAt][from]': Type.Optional(InstantIn('Changed not earlier than, inclusive.')),
  'filter[updatedAt][to]': Type.Optional(InstantIn('Changed not later than, inclusive.')),
  order: Type.Optional(
    Type.Enum([...sortOrders], {
      type: 'string',
      default: 'createdAt:desc',
      description: 'Sort order. For incremental synchronization use `updatedAt:asc`.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: '`page.nextCursor` of the previous answer; valid only with the same `order` value.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most records in one page.' }),
  ),
};
