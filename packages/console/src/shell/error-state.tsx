import { Button, Container } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './empty-state.tsx';
import { explain } from './explain.ts';

/** A screen, or a part of one, that could not be loaded. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <EmptyState icon={IconCloudOff} title={t('errors.title')} text={explain(error, t)}>
      <Button variant="default" onClick={onRetry ?? (() => void router.invalidate())}>
        {t('common.retry')}
      </Button>
    </EmptyState>
  );
}

/** For the router: a whole page that could not be loaded. */
export const ErrorPage = ({ error }: { error: unknown }) => (
  <Container component="main" size={760} p="md" py="xl">
    <ErrorState error={error} />
  </Container>
);
