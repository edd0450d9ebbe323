import type { ConsoleOutput, ConsoleRoute } from '@store-sales/contract/console';
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Options, type Rest } from './client.ts';

/** Queries are found by their route, or by parameters: `[{ storeId }]` is the beginning of the keys of a store. */
type Key = readonly [params: Record<string, string>, route: ConsoleRoute, input: object];

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key;
  }
}

interface Parts {
  params?: Record<string, string>;
  query?: object;
  body?: object;
}

const keyOf = (route: ConsoleRoute, { params = {}, query, body }: Parts = {}): Key => [
  params,
  route,
  query ?? body ?? {},
];

/** The query of a route. */
export const query = <Route extends ConsoleRoute>(route: Route, ...[options]: Rest<Route>) =>
  queryOptions<ConsoleOutput<Route>, Error, ConsoleOutput<Route>, Key>({
    queryKey: keyOf(route, options as Parts),
    queryFn: () => call(route, ...([options] as Rest<Route>)),
  });

type Page = { nextCursor: string | null } | { page: { nextCursor: string | null } };
type PagedRoute = { [Route in ConsoleRoute]: ConsoleOutput<Route> extends Page ? Route : never }[ConsoleRoute];

/** The query of a list that is loaded page by page. */
export const pagesQuery = <Route extends PagedRoute>(route: Route, options: Options<Route>) =>
  infiniteQueryOptions<ConsoleOutput<Route>, Error, InfiniteData<ConsoleOutput<Route>, string>, Key, string>({
    queryKey: keyOf(route, options as Parts),
    queryFn({ pageParam: cursor }) {
      const { query, ...rest } = options as Parts;
      return call(route, ...([{ ...rest, query: { ...query, cursor } }] as unknown as Rest<Route>));
    },
    initialPageParam: '',
    getNextPageParam(last) {
      const page = last as Page;
      return 'page' in page ? page.page.nextCursor : page.nextCursor;
    },
  });

/** A form starts from the current values, and keeps what was typed until it is closed. */
export const FORM_QUERY = {
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnReconnect: false,
} as const;
