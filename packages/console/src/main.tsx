import './mantine.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, router } from './app.ts';
import { startTranslation } from './i18n/index.ts';
import { Notices } from './shell/notify.tsx';
import { SessionDialog } from './shell/session-dialog.tsx';
import { VerificationDialog } from './shell/verification-dialog.tsx';
import { cssVariables, theme } from './theme.ts';

await startTranslation();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <SessionDialog />
        <VerificationDialog />
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
