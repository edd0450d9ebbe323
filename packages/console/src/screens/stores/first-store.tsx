import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingStore } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { CreateStore } from './create-store.tsx';

/** Where an owner without a store begins. */
export function FirstStore() {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Page title={t('nav.yourStores')} size="form">
      <EmptyState icon={IconBuildingStore} title={t('stores.emptyTitle')} text={t('stores.emptyText')}>
        <Button onClick={open}>{t('stores.create')}</Button>
      </EmptyState>
      <CreateStore isOpen={isOpen} onClose={close} />
    </Page>
  );
}
