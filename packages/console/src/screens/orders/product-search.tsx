import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FoundProduct } from '@store-sales/contract/console';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useMoney } from '../../shell/money.ts';
import { Select } from '../../shell/select.tsx';
import { useStore } from '../../shell/use-store.ts';

/** Searches while the user types; cleared after each selection. */
export function ProductSearch({ error, onChoose }: { error: ReactNode; onChoose(product: FoundProduct): void }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { id: storeId } = useStore();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data: products = [], isPlaceholderData } = useQuery({
    ...query('GET /stores/{storeId}/orders/products', { params: { storeId }, query: { q } }),
    placeholderData: keepPreviousData,
  });
  const byId = new Map(products.map((product) => [product.id, product]));
  const isOutdated = text.trim() !== q || isPlaceholderData;
  const [isEntered, setEntered] = useState(false);
  function search(text: string) {
    setText(text);
    setEntered(false);
  }
  // A barcode scanner types the SKU and Enter before the results are there.
  useEffect(() => {
    if (!isEntered || isOutdated) return;
    setEntered(false);
    const product = products.length === 1 ? products[0] : products.find(({ sku }) => sku === q);
    if (!product) return;
    setText('');
    onChoose(product);
  }, [isEntered, isOutdated, products, q, onChoose]);
  return (
    <Select
      label={t('orders.addProduct')}
      placeholder={t('orders.addProductHint')}
      leftSection={<IconSearch size={17} />}
      rightSection={<span />}
      searchable
      data={products.map(({ id, name }) => ({ value: id, label: name }))}
      nothingFound={t('orders.noProducts')}
      error={error}
      value={null}
      searchValue={text}
      onSearchChange={search}
      isOutdated={isOutdated}
      onEnter={() => setEntered(text.trim() !== '')}
      onChange={(id) => {
        const product = id && byId.get(id);
        if (product) onChoose(product);
        search('');
      }}
      renderOption={(option) => {
        const product = byId.get(option.value);
        return (
          <Group justify="space-between" wrap="nowrap" w="100%" gap="sm">
            <Text size="sm" truncate>
              {option.label}
              {product?.sku && (
                <Text span c="dimmed" size="xs">
                  {' '}
                  {product.sku}
                </Text>
              )}
            </Text>
            <Text size="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
              {money(product?.price ?? 0)}
              {typeof product?.stock === 'number' && (
                <Text size="xs" component="div" c={product.stock > 0 ? 'dimmed' : 'var(--mantine-color-error)'}>
                  {t('orders.inStock', { count: product.stock })}
                </Text>
              )}
            </Text>
          </Group>
        );
      }}
    />
  );
}
