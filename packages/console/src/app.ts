import { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { storesQuery } from './api/account.ts';
import { ApiError, isUncertain, onRefusal } from './api/client.ts';
import { routeTree } from './routes.ts';
import { ErrorPage, RECOVERY_INTERVAL } from './shell/error-state.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Pending } from './shell/pending.tsx';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Without a connection requests fail at once and say so, instead of waiting for it in silence.
      networkMode: 'always',
      refetchOnReconnect: 'always',
      refetchInterval: ({ state }) =>
        state.status === 'error' && isUncertain(state.error) ? RECOVERY_INTERVAL : false,
      // Retrying a 4xx does not help; without a response the interval above tries again.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status >= 500,
    },
    mutations: { networkMode: 'always' },
  },
});

// The role has changed: the screens follow the list of stores.
onRefusal('role_required', async () => {
  void queryClient.invalidateQueries(storesQuery);
  return false;
});

/** A page that takes longer to load shows that it is loading. */
export const PENDING_MS = 400;

export const router = createRouter({
  routeTree,
  basepath: '/console',
  // Others may be added to a link on its way, and no screen or call knows them.
  search: { strict: true },
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: Pending,
  defaultPendingMs: PENDING_MS,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
