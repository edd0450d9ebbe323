import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, listParameters, Uuid } from './common.ts';

export const Customer = Type.Object(
  {
    id: Uuid('Customer identifier.'),
    externalId: Type.String({ description: 'Customer id in an external system.' }),
    name: Type.String({ description: 'Name.' }),
    phone: Type.String({ description: 'Phone.' }),
    email: Type.String({ description: 'E-mail address.' }),
    createdAt: Instant('Creation time.'),
    updatedAt: Instant('Last change time.'),
  },
  { description: 'A customer of the store.' },
);
export type Customer = Static<typeof Customer>;

export const CustomerQuery = Body({
  'filter[phone]': Type.Optional(
    Filter('Phone in any notation; eleven digits that begin with `8`, without `+`, equal `+7…`.'),
  ),
  'filter[email]': Type.Optional(Filter('E-mail, whatever its case.')),
  'filter[externalId]': Type.Optional(Filter('External customer id.')),
  ...listParameters,
});
export type CustomerQuery = Static<typeof CustomerQuery>;
