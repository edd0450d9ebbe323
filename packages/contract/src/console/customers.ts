import Type, { type Static } from 'typebox';
import { Body, Filter } from '../common.ts';
import type { Customer } from '../customers.ts';

const cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }));

export const CustomerPageQuery = Body({
  q: Type.Optional(Filter('A part of a name, the beginning of a phone, a whole e-mail or external id.', 254)),
  cursor,
});
export type CustomerPageQuery = Static<typeof CustomerPageQuery>;

export interface CustomerPage {
  data: Customer[];
  page: { nextCursor: string | null; hasMore: boolean };
}

export const CustomerOrdersQuery = Body({ cursor });
export type CustomerOrdersQuery = Static<typeof CustomerOrdersQuery>;
