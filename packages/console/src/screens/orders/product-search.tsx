import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FoundProduct } from '@store-sales/contract/console';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { productsQuery } from '../../api/orders.ts';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from './formats.ts';

/** Finds products while one types; the one that is chosen is handed over, and the field is ready for the next. */
export function ProductSearch({ error, onChoose }: { error: ReactNode; onChoose(product: FoundProduct): void }) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const { id: storeId } = useStore();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data: products = [] } = useQuery(productsQuery(storeId, q));
  const byId = new Map(products.map((product) => [product.id, product]));
  return (
    <Select
      label={t('orders.addProduct')}
      placeholder={t('orders.addProductHint')}
      leftSection={<IconSearch size={17} />}
      rightSection={<span />}
      searchable
      data={products.map(({ id, name }) => ({ value: id, label: name }))}
      // The server has chosen already.
      filter={({ options }) => options}
      nothingFoundMessage={t('orders.noProducts')}
      maxDropdownHeight={320}
      error={error}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => {
        const product = id && byId.get(id);
        if (product) onChoose(product);
        setText('');
      }}
      renderOption={({ option }) => {
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
            <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
              {money(product?.price ?? 0)}
            </Text>
          </Group>
        );
      }}
    />
  );
}
