import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, listParameters, Uuid } from './common.ts';

export const Customer = Type.Object(
  {
    id: Uuid('Customer identifier.'),
    externalId: Type.String({ description: 'Customer id in an external system.' }),
    name: Type.String({ description: 'Name.' }),
    phone: Type.String({ description: 'Phone number.' }),
    email: Type.String({ description: 'E-mail address.' }),
    createdAt: Instant('Creation time.'),
    updatedAt: Instant('Time of the last change.'),
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
});
export type CustomerQuery = Static<typeof CustomerQuery>;
