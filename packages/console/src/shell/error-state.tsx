import { Button, Container } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { ApiError, call, isUncertain } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { EmptyState } from './empty-state.tsx';
import { explain } from './explain.ts';

/** How often something that failed without a usable response is tried again. */
export const RECOVERY_INTERVAL = 5_000;

interface ErrorStateProps {
  error: unknown;
  level?: 1 | 2;
  onRetry?: () => void;
}

export function ErrorState({ error, level = 2, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <EmptyState icon={IconCloudOff} title={t('errors.title')} text={explain(error, t)} level={level}>
      <Button variant="default" onClick={onRetry ?? (() => void router.invalidate())}>
        {t('common.retry')}
      </Button>
    </EmptyState>
  );
}

/** The page of a route that failed. It recovers by itself when the connection is back. */
export function ErrorPage({ error }: { error: unknown }) {
  const router = useRouter();
  const retry = useCallback(() => void router.invalidate(), [router]);
  const canRecover = isUncertain(error);
  useEffect(() => {
    if (!canRecover) return;
    const timer = setInterval(retry, RECOVERY_INTERVAL);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [retry, canRecover]);

  const queryClient = useQueryClient();
  const isSignedOut = error instanceof ApiError && error.code === 'signed_out';
  useEffect(() => {
    if (!isSignedOut) return;
    // There is no page to sign in over. Another person may sign in next, who must not see what was loaded before.
    queryClient.clear();
    retry();
  }, [isSignedOut, queryClient, retry]);
  if (isSignedOut) return null;

  return (
    <Container size={760} p="md" py="xl">
      <ErrorState
        error={error}
        level={1}
        // After an upgrade of the server the files of this version are gone, and only a reload helps.
        onRetry={() => void call('GET /session').then(() => window.location.reload(), retry)}
      />
    </Container>
  );
}

/** The same without the shell around it. */
export const ErrorScreen = ({ error }: { error: unknown }) => (
  <main>
    <ErrorPage error={error} />
  </main>
);
