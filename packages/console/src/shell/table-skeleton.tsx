import { Group, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';

export function TableSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack className="panel" p="md" gap={22} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Group key={index} wrap="nowrap" gap="xl">
          <Skeleton h={14} w={48} />
          <Skeleton h={14} flex={1} maw={140} />
          <Skeleton h={14} flex={2} maw={220} visibleFrom="xs" />
          <Skeleton h={14} w={90} ml="auto" />
        </Group>
      ))}
    </Stack>
  );
}
