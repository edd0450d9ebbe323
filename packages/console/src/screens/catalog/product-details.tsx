import { Group, Stack } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import { useQuery } from '@tanstack/react-query';
import { productQuery } from '../../api/catalog.ts';
import { productPicturesQuery } from '../../api/pictures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { FieldsSkeleton, Loaded } from '../../shell/loaded.tsx';
import { useMoney } from '../../shell/money.ts';
import { useStore } from '../../shell/use-store.ts';
import { ProductImage } from './product-image.tsx';
import { StockButton } from './stock-count.tsx';
import { useTree } from './use-tree.ts';

interface ProductDetailsProps {
  id: string;
  onOpenStock(): void;
  onClose(): void;
}

/** The product for those who may not change it. */
export default function ProductDetails({ id, onOpenStock, onClose }: ProductDetailsProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const product = useQuery(productQuery(storeId, id));
  return (
    <Dialog onClose={onClose} place="right" title={product.data?.name ?? t('catalog.products')}>
      <Loaded query={product} pending={<FieldsSkeleton />}>
        {(data) => (
          <Stack>
            <Details of={data} />
            <StockButton of={data.stock} onClick={onOpenStock} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}

function Pictures({ of }: { of: Product }) {
  const { id: storeId } = useStore();
  const { data: pictures = [] } = useQuery(productPicturesQuery(storeId, of.id));
  const urls = pictures.map(({ files }) => (files.find(({ width }) => width >= 240) ?? files.at(-1))?.url ?? '');
  if (!urls.length && of.imageUrl) urls.push(of.imageUrl);
  return (
    <Group gap="xs">
      {urls.map((url) => (
        <ProductImage key={url} url={url} size={120} />
      ))}
    </Group>
  );
}

function Details({ of }: { of: Product }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { pathOf } = useTree();
  const facts: Fact[] = [
    [t('catalog.price'), money(of.price)],
    [t('catalog.oldPrice'), of.oldPrice !== null && money(of.oldPrice)],
    [t('catalog.state'), t(of.isActive ? 'catalog.on' : 'catalog.off')],
    [t('catalog.sku'), of.sku],
    [t('catalog.category'), pathOf(of.categoryId)],
    [t('catalog.externalId'), of.externalId],
    [t('catalog.description'), of.description],
  ];
  return (
    <Stack>
      <Pictures of={of} />
      <Facts of={facts} cols={1} />
    </Stack>
  );
}
