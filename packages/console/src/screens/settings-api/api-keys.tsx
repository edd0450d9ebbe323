import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { PlanRequired } from '../../shell/plan-required.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';

export function ApiKeys() {
  const { t } = useTranslation();
  const store = useStore();
  const hasApi = store.plan === 'optimal';
  const keys = useQuery({ ...keysQuery(store.id), enabled: hasApi });
  const [isCreating, { open, close }] = useDisclosure(false);
  const mayChange = useMay()('changeKeys');
  const createButton = mayChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {t('keys.create')}
    </Button>
  );

  return (
    <Page title={t('nav.apiKeys')} text={t('keys.text')} action={!!keys.data?.length && createButton}>
      {!hasApi ? (
        <PlanRequired title={t('keys.planTitle')} storeId={store.id} />
      ) : (
        <Loaded query={keys}>
          {(data) =>
            data.length ? (
              <KeyList key={store.id} storeId={store.id} keys={data} />
            ) : (
              <EmptyState icon={IconKey} title={t('keys.emptyTitle')} text={mayChange ? t('keys.emptyText') : ''}>
                {createButton}
              </EmptyState>
            )
          }
        </Loaded>
      )}
      {isCreating && <CreateKey storeId={store.id} onClose={close} />}
    </Page>
  );
}
