import { Skeleton, Stack } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import { useQuery } from '@tanstack/react-query';
import { productQuery } from '../../api/catalog.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { useMoney } from '../../shell/money.ts';
import { useStore } from '../../shell/use-store.ts';
import { ProductImage } from './product-image.tsx';
import { useTree } from './use-tree.ts';

/** The product for those who may not change it. */
export default function ProductDetails({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data, error, refetch } = useQuery(productQuery(storeId, id));
  return (
    <Dialog opened onClose={onClose} place="right" title={data?.name ?? t('catalog.products')}>
      {data ? (
        <Details of={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack role="status" aria-label={t('common.loading')}>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} h={36} />
          ))}
        </Stack>
      )}
    </Dialog>
  );
}

function Details({ of }: { of: Product }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { pathOf } = useTree();
  const facts: Fact[] = [
    [t('catalog.price'), money(of.price)],
    [t('catalog.state'), t(of.isActive ? 'catalog.on' : 'catalog.off')],
    [t('catalog.sku'), of.sku],
    [t('catalog.category'), pathOf(of.categoryId)],
    [t('catalog.externalId'), of.externalId],
    [t('catalog.description'), of.description],
  ];
  return (
    <Stack>
      {of.imageUrl && <ProductImage url={of.imageUrl} size={120} />}
      <Facts of={facts} cols={1} />
    </Stack>
  );
}
