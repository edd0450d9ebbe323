import './mantine.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery, storesQuery } from './api/account.ts';
import { PENDING_MS, queryClient, router } from './app.ts';
import { startTranslation } from './i18n/index.ts';
import { Notices } from './shell/notify.tsx';
import { cssVariables, theme } from './theme.ts';

// While the texts are loaded. Who is not signed in has no stores.
void queryClient
  .ensureQueryData(sessionQuery)
  .then(({ account }) => account && queryClient.prefetchQuery(storesQuery))
  .catch(() => {});
await startTranslation();
// Usually all that the first page needs is there by then, so it is rendered once, in slices that leave the browser
// responsive. A server that takes longer is waited for on the page, which says so.
await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, PENDING_MS))]);

startTransition(() =>
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Notices />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
