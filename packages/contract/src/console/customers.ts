import Type, { type Static } from 'typebox';
import { Body, Filter, Kopecks, OneOf, Text, Uuid } from '../api/common.ts';
import { Customer } from '../api/customers.ts';
import { Found } from './found.ts';

const cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }));

const q = Type.Optional(
  Filter('Words of the name, e-mail or external id, each by its start, or part of the phone.', 254),
);

export const CustomerPageQuery = Body({ q, cursor });
export type CustomerPageQuery = Static<typeof CustomerPageQuery>;

export const CustomerExportQuery = Body({
  q,
  decimal: Type.Optional(OneOf(['point', 'comma'], 'With a comma, cells are separated by semicolons.')),
});

export const CustomerPage = Found(Customer);
export type CustomerPage = Static<typeof CustomerPage>;

export const CustomerOrdersQuery = Body({ cursor });
export type CustomerOrdersQuery = Static<typeof CustomerOrdersQuery>;

const fields = {
  name: Type.Optional(Text(200, 'Name.')),
  phone: Type.Optional(Text(50, 'Phone number.')),
  email: Type.Optional(Text(254, 'E-mail address.')),
  externalId: Type.Optional(Text(255, 'Id in an external system.')),
};

/** Needs a name, a phone or an e-mail. */
export const CreateCustomer = Body(fields);
export type CreateCustomer = Static<typeof CreateCustomer>;

export const ChangeCustomer = Body(fields, { minProperties: 1 });
export type ChangeCustomer = Static<typeof ChangeCustomer>;

export const CustomerSales = Type.Object({
  orders: Type.Integer({ description: 'Number of orders.' }),
  sales: Type.Integer({ description: 'Number of orders that are neither cancelled nor returned.' }),
  revenue: Kopecks('Total of these orders.'),
  isPartial: Type.Boolean({ description: 'There are more orders; only the newest are counted.' }),
});
export type CustomerSales = Static<typeof CustomerSales>;

export const MergeCustomer = Body({
  otherId: Uuid('The customer whose orders move here, and who is then listed no more.'),
});
export type MergeCustomer = Static<typeof MergeCustomer>;
