import type { operations } from './contract.generated.ts';

/** Both ends inclusive. A string needs `Z` or an offset. */
export interface TimeRange {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/** A parameter that is an object is a time range, or a map of texts. */
type Query<Parameters> = {
  [Name in keyof Parameters]?:
    | (NonNullable<Parameters[Name]> extends object
        ? string extends keyof NonNullable<Parameters[Name]>
          ? Record<string, string>
          : TimeRange
        : Parameters[Name])
    | undefined;
};

type QueryOf<Name extends keyof operations> = operations[Name]['parameters'] extends {
  query?: infer Parameters extends object;
}
  ? Query<Parameters>
  : undefined;

type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : undefined;

type OperationTypes = {
  [Name in keyof operations]: {
    query: QueryOf<Name>;
    body: JsonOf<operations[Name]['requestBody']>;
    response: JsonOf<operations[Name]['responses'][keyof operations[Name]['responses']]>;
  };
};

/** The query, request body and response body of every operation. An interface, so that generic code can index it. */
export interface Operations extends OperationTypes {}

export interface ListOrdersQuery extends QueryOf<'listOrders'> {}
export interface ListProductsQuery extends QueryOf<'listProducts'> {}
export interface ListEventsQuery extends QueryOf<'listEvents'> {}
export interface ListCustomersQuery extends QueryOf<'listCustomers'> {}
