import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, listParameters, OrNull, Uuid } from './common.ts';

export const Customer = Type.Object(
  {
    id: Uuid('Customer identifier.'),
    externalId: Type.String({ description: 'Customer id in an external system.' }),
    name: Type.String({ description: 'Name.' }),
    phone: Type.String({ description: 'Phone number.' }),
    email: Type.String({ description: 'E-mail address.' }),
    createdAt: Instant('Creation time.'),
    updatedAt: Instant('Time of the last change.'),
    mergedIntoId: OrNull(
      Type.String({ format: 'uuid' }),
      'The customer that this one was merged into, which has its orders now and may itself have been merged; null for all others.',
    ),
    erasedAt: OrNull(
      Instant('Time of the erasure.'),
      'When the personal data of the customer was erased: all texts are empty, here and in the orders, and the same phone makes a new customer; null for all others.',
    ),
  },
  { description: 'A customer of the store.' },
);
export type Customer = Static<typeof Customer>;

export const CustomerQuery = Body({
  'filter[phone]': Type.Optional(
    Filter('Phone number in any notation. Eleven digits that begin with `8`, without `+`, match `+7…`.'),
  ),
  'filter[email]': Type.Optional(Filter('E-mail address, case-insensitive.')),
  'filter[externalId]': Type.Optional(Filter('Customer id in an external system.')),
  ...listParameters,
  with: Type.Optional(
    Type.Enum(['merged'], {
      type: 'string',
      description:
        'Include customers that were merged into another. They are found by no filter of phone, e-mail or external id.',
    }),
  ),
});
export type CustomerQuery = Static<typeof CustomerQuery>;
