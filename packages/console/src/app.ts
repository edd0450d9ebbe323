import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { sessionQuery } from './api/account.ts';
import { ApiError } from './api/client.ts';
import { routeTree } from './routes.ts';
import { ErrorPage } from './shell/error-state.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Pending } from './shell/pending.tsx';

/** A session that ended elsewhere: forget everything, and let the router lead to the sign-in page. */
function onError(error: Error) {
  if (!(error instanceof ApiError) || error.code !== 'signed_out') return;
  if (!queryClient.getQueryData(sessionQuery.queryKey)?.owner) return;
  queryClient.clear();
  void router.invalidate();
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused, it refuses again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

export const router = createRouter({
  routeTree,
  basepath: '/console',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: Pending,
  defaultPendingMs: 400,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
