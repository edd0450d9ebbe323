import { Button, Group, Text } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reloadProducts } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useStore } from '../../shell/use-store.ts';

const BulkChange = lazyDialog(() => import('./bulk-change.tsx'));

/** Changes the selected products. */
export function BulkSwitch({ products, onDone }: { products: readonly Product[]; onDone(): void }) {
  const { t } = useTranslation();
  const [what, setWhat] = useState<'price' | 'category'>();
  const ids = products.map(({ id }) => id);
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useAction(
    (isActive: boolean) => call('PATCH /stores/{storeId}/products', { params: { storeId }, body: { ids, isActive } }),
    ({ changed }) => {
      reloadProducts(queryClient, storeId);
      notify(t('catalog.switched', { count: changed }));
      onDone();
    },
  );
  return (
    <Group className="panel" role="region" aria-label={t('catalog.selection')} px="md" py="xs" gap="sm">
      <Text size="sm" fw={500} aria-live="polite">
        {t('catalog.selected', { count: ids.length })}
      </Text>
      {([true, false] as const).map((isActive) => (
        <Button
          key={String(isActive)}
          variant="default"
          size="xs"
          loading={isPending && variables === isActive}
          disabled={isPending}
          onClick={() => mutate(isActive)}
        >
          {t(isActive ? 'catalog.switchOn' : 'catalog.switchOff')}
        </Button>
      ))}
      {(['price', 'category'] as const).map((each) => (
        <Button key={each} variant="default" size="xs" disabled={isPending} onClick={() => setWhat(each)}>
          {t(each === 'price' ? 'catalog.changePrice' : 'catalog.changeCategory')}
        </Button>
      ))}
      <Button variant="subtle" size="xs" onClick={onDone}>
        {t('catalog.clearSelection')}
      </Button>
      {what && <BulkChange what={what} products={products} onDone={onDone} onClose={() => setWhat(undefined)} />}
    </Group>
  );
}
