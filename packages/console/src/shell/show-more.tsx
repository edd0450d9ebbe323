import { Button, Center } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
}

export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  const { t } = useTranslation();
  if (!hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('common.showMore')}
      </Button>
    </Center>
  );
}
