import { Anchor, Badge, Box, Group, Switch, Table, Text } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeProduct, keepProduct } from '../../api/catalog.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from '../orders/formats.ts';
import { useTree } from './use-tree.ts';

interface ProductsProps {
  products: Product[];
  onOpen(id: string): void;
}

/** A table where there is room for one, cards where there is not. */
export function ProductTable(props: ProductsProps) {
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <WideTable {...props} />
      </Box>
      <Box className="panel" hiddenFrom="md">
        {props.products.map((product) => (
          <Card key={product.id} product={product} onOpen={props.onOpen} />
        ))}
      </Box>
    </>
  );
}

function WideTable({ products, onOpen }: ProductsProps) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const { pathOf } = useTree();
  return (
    <Table aria-label={t('catalog.products')} highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('catalog.name')}</Table.Th>
          <Table.Th w="18%">{t('catalog.sku')}</Table.Th>
          <Table.Th w="24%">{t('catalog.category')}</Table.Th>
          <Table.Th w={140} ta="right">
            {t('catalog.price')}
          </Table.Th>
          <Table.Th w={110}>{t('catalog.isActive')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {products.map((product) => (
          <Table.Tr key={product.id} style={{ cursor: 'pointer' }} onClick={() => onOpen(product.id)}>
            <Table.Td>
              <OpenLink product={product} onOpen={onOpen} />
            </Table.Td>
            <Table.Td>
              <Text size="sm" truncate title={product.sku}>
                {product.sku}
              </Text>
            </Table.Td>
            <Table.Td>
              <Text size="sm" c="dimmed" truncate title={pathOf(product.categoryId)}>
                {pathOf(product.categoryId)}
              </Text>
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
              {money(product.price)}
            </Table.Td>
            <Table.Td onClick={(event) => event.stopPropagation()} style={{ cursor: 'default' }}>
              <OnSale product={product} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Card({ product, onOpen }: { product: Product; onOpen(id: string): void }) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const { pathOf } = useTree();
  const note = [product.sku, pathOf(product.categoryId)].filter(Boolean).join(' · ');
  return (
    <Box className="panel-part" component="article" p="md" pos="relative" aria-label={product.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <OpenLink product={product} onOpen={onOpen} isWhole />
        <Text fw={500} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          {money(product.price)}
        </Text>
      </Group>
      <Group justify="space-between" wrap="nowrap" mt={2}>
        <Text size="sm" c="dimmed" truncate>
          {note}
        </Text>
        {!product.isActive && (
          <Badge variant="default" size="sm" radius="sm" tt="none" fw={500} c="dimmed" style={{ flex: 'none' }}>
            {t('catalog.off')}
          </Badge>
        )}
      </Group>
    </Box>
  );
}

interface OpenLinkProps {
  product: Product;
  /** Covers the card it stands in. */
  isWhole?: boolean;
  onOpen(id: string): void;
}

const OpenLink = ({ product, isWhole = false, onOpen }: OpenLinkProps) => (
  <Anchor
    component="button"
    type="button"
    size="sm"
    fw={500}
    ta="left"
    maw="100%"
    c={product.isActive ? 'var(--mantine-color-text)' : 'dimmed'}
    lineClamp={isWhole ? 3 : 2}
    className={isWhole ? 'whole-link' : ''}
    style={{ overflowWrap: 'anywhere' }}
    onClick={(event) => {
      event.stopPropagation();
      onOpen(product.id);
    }}
  >
    {product.name}
  </Anchor>
);

/** Moves at once, and back if the server refuses. */
function OnSale({ product }: { product: Product }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isActive: boolean) => changeProduct(storeId, product.id, { isActive }),
    onSuccess(changed) {
      keepProduct(queryClient, storeId, changed);
      notify(t(changed.isActive ? 'catalog.switchedOn' : 'catalog.switchedOff', { name: changed.name }));
    },
    onError: (error) => notify(explain(error, t), false),
  });
  return (
    <Switch
      aria-label={t('catalog.switchNamed', { name: product.name })}
      checked={isPending ? variables : product.isActive}
      onChange={(event) => mutate(event.currentTarget.checked)}
      withThumbIndicator={false}
    />
  );
}
