import { Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { ErrorState } from './error-state.tsx';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): unknown };
  /** Shown while it is loaded. */
  pending?: ReactNode;
  children(data: Data): ReactNode;
}

/** What a query has read, or why it could not. */
export function Loaded<Data>({ query: { data, error, refetch }, pending = <Rows />, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : pending;
}

function Rows() {
  const { t } = useTranslation();
  return (
    <Stack className="panel" p="lg" gap="lg" role="status" aria-label={t('common.loading')}>
      {[40, 28, 34, 45].map((width) => (
        <Group key={width} justify="space-between" wrap="nowrap">
          <Skeleton h={16} w={`${width}%`} maw={260} />
          <Skeleton h={20} w={60} radius="xl" />
        </Group>
      ))}
    </Stack>
  );
}

/** While the fields of a form, or the values of a record, are loaded. */
export function FieldsSkeleton({ rows = 3 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <Stack role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={row} h={36} />
      ))}
    </Stack>
  );
}
