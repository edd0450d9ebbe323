import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingStore } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Page } from '../../shell/page.tsx';

const CreateStore = lazyDialog(() => import('../../shell/create-store.tsx'));

export function FirstStore() {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Page title={t('nav.yourStores')} size="form">
      {session.account?.mayCreateStores ? (
        <EmptyState icon={IconBuildingStore} title={t('stores.emptyTitle')} text={t('stores.emptyText')}>
          <Button onClick={open}>{t('nav.createStore')}</Button>
        </EmptyState>
      ) : (
        <EmptyState icon={IconBuildingStore} title={t('stores.noneTitle')} text={t('stores.noneText')} />
      )}
      {isOpen && <CreateStore onClose={close} />}
    </Page>
  );
}
