import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconLock, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysQuery } from '../../api/account.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { useStore } from '../../shell/use-store.ts';
import { CreateKey } from './create-key.tsx';
import { KeyList, KeyListSkeleton } from './key-list.tsx';

/** Settings, Integrations, API. */
export function ApiKeys() {
  const { t } = useTranslation();
  const store = useStore();
  const isOpenToStore = store.plan === 'optimal';
  const keys = useQuery({ ...keysQuery(store.id), enabled: isOpenToStore });
  const [isCreating, { open, close }] = useDisclosure(false);
  const createButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {t('keys.create')}
    </Button>
  );

  return (
    <Page title={t('keys.title')} text={t('keys.text')} action={keys.data?.length ? createButton : undefined}>
      {!isOpenToStore ? (
        <Closed storeId={store.id} />
      ) : keys.error && !keys.data ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <KeyListSkeleton />
      ) : keys.data.length ? (
        <KeyList key={store.id} storeId={store.id} keys={keys.data} />
      ) : (
        <EmptyState icon={IconKey} title={t('keys.emptyTitle')} text={t('keys.emptyText')}>
          {createButton}
        </EmptyState>
      )}
      <CreateKey storeId={store.id} isOpen={isCreating} onClose={close} />
    </Page>
  );
}

function Closed({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={IconLock} title={t('keys.closedTitle')} text={`${t('keys.closedText')} ${t('keys.closedHow')}`}>
      <CodeBox text={`npx store-sales store plan ${storeId} optimal`} />
    </EmptyState>
  );
}
