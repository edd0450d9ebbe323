import { Anchor, Badge, Box, Checkbox, Group, Text } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import type { ListedProduct } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { updateCachedProduct } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useMoney } from '../../shell/money.ts';
import { notify } from '../../shell/notify.tsx';
import { SavedSwitch } from '../../shell/saved-switch.tsx';
import { Table } from '../../shell/table.tsx';
import { useStore } from '../../shell/use-store.ts';
import { ProductImage } from './product-image.tsx';
import { StockCount } from './stock-count.tsx';
import { useTree } from './use-tree.ts';

interface ProductsProps {
  products: ListedProduct[];
  /** Without it, the products cannot be selected or switched. */
  selection?: Selection;
  onOpen(id: string): void;
  onOpenStock(id: string): void;
}

interface Selection {
  ids: readonly string[];
  onSelect(ids: string[]): void;
}

/** A table on wide screens, cards on a phone. */
export function ProductTable(props: ProductsProps) {
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <WideTable {...props} />
      </Box>
      <Box className="panel" hiddenFrom="md">
        {props.products.map((product) => (
          <Card key={product.id} product={product} {...props} />
        ))}
      </Box>
    </>
  );
}

const withImages = (products: readonly Product[]) => products.some(({ imageUrl }) => imageUrl);

function WideTable({ products, selection, onOpen, onOpenStock }: ProductsProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { pathOf } = useTree();
  return (
    <Table aria-label={t('catalog.products')} highlightOnHover layout="fixed">
      <thead>
        <tr>
          {selection && (
            <Table.Th w={44}>
              <SelectAll products={products} selection={selection} />
            </Table.Th>
          )}
          <Table.Th>{t('catalog.name')}</Table.Th>
          <Table.Th w="16%">{t('catalog.sku')}</Table.Th>
          <Table.Th w="20%">{t('catalog.category')}</Table.Th>
          <Table.Th w={140} ta="right">
            {t('catalog.price')}
          </Table.Th>
          <Table.Th w={90} ta="right">
            {t('catalog.stock')}
          </Table.Th>
          <Table.Th w={110}>{t(selection ? 'catalog.isActive' : 'catalog.state')}</Table.Th>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <tr key={product.id} style={{ cursor: 'pointer' }} onClick={() => onOpen(product.id)}>
            {selection && (
              <Table.Td onClick={(event) => event.stopPropagation()} style={{ cursor: 'default' }}>
                <SelectBox product={product} selection={selection} />
              </Table.Td>
            )}
            <Table.Td>
              <Group gap="sm" wrap="nowrap">
                {withImages(products) && <ProductImage url={product.thumbnailUrl} size={36} />}
                <OpenLink product={product} onOpen={onOpen} />
              </Group>
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
            <Table.Td ta="right">
              <StockLink product={product} onOpen={onOpenStock} />
            </Table.Td>
            {selection ? (
              <Table.Td onClick={(event) => event.stopPropagation()} style={{ cursor: 'default' }}>
                <ActiveSwitch product={product} />
              </Table.Td>
            ) : (
              <Table.Td c={product.isActive ? 'inherit' : 'dimmed'}>
                {t(product.isActive ? 'catalog.on' : 'catalog.off')}
              </Table.Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function SelectAll({ products, selection: { ids, onSelect } }: { products: Product[]; selection: Selection }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      aria-label={t('catalog.selectAll')}
      checked={ids.length === products.length}
      indeterminate={ids.length > 0 && ids.length < products.length}
      onChange={(event) => onSelect(event.currentTarget.checked ? products.map(({ id }) => id) : [])}
    />
  );
}

function SelectBox({ product: { id, name }, selection }: { product: Product; selection: Selection }) {
  const { t } = useTranslation();
  const { ids, onSelect } = selection;
  return (
    <Checkbox
      aria-label={t('catalog.select', { name })}
      checked={ids.includes(id)}
      onChange={(event) => onSelect(event.currentTarget.checked ? [...ids, id] : ids.filter((other) => other !== id))}
    />
  );
}

function Card({ product, products, selection, onOpen, onOpenStock }: ProductsProps & { product: ListedProduct }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { pathOf } = useTree();
  const note = [product.sku, pathOf(product.categoryId)].filter(Boolean).join(' · ');
  return (
    <Box className="panel-part" component="article" p="md" pos="relative" aria-label={product.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        {/* Above the link that covers the card. */}
        {selection && (
          <Box pos="relative" style={{ zIndex: 1 }}>
            <SelectBox product={product} selection={selection} />
          </Box>
        )}
        {withImages(products) && <ProductImage url={product.thumbnailUrl} size={40} />}
        <Box flex={1} miw={0}>
          <OpenLink product={product} onOpen={onOpen} isWhole />
        </Box>
        <Text fw={500} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          {money(product.price)}
        </Text>
      </Group>
      <Group justify="space-between" wrap="nowrap" mt={2}>
        <Text size="sm" c="dimmed" truncate>
          {note}
        </Text>
        <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
          {!product.isActive && (
            <Badge variant="default" size="sm" radius="sm" c="dimmed">
              {t('catalog.inactive')}
            </Badge>
          )}
          {product.stock !== null && (
            <Text component="div" size="sm" c="dimmed" pos="relative" style={{ zIndex: 1 }}>
              {t('catalog.stock')}: <StockLink product={product} onOpen={onOpenStock} />
            </Text>
          )}
        </Group>
      </Group>
    </Box>
  );
}

interface OpenLinkProps {
  product: Product;
  /** The link covers its whole card. */
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

/** Opens the warehouses and movements of the product. */
function StockLink({ product: { id, stock }, onOpen }: { product: Product; onOpen(id: string): void }) {
  const { t } = useTranslation();
  return (
    <Anchor
      component="button"
      type="button"
      c="var(--mantine-color-text)"
      aria-label={t('catalog.stockNamed', { count: stock ?? t('catalog.stockStates.untracked') })}
      onClick={(event) => {
        event.stopPropagation();
        onOpen(id);
      }}
    >
      <StockCount of={stock} />
    </Anchor>
  );
}

function ActiveSwitch({ product: { id: productId, name, isActive } }: { product: Product }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  return (
    <SavedSwitch
      aria-label={t('catalog.switchNamed', { name })}
      checked={isActive}
      save={(isOn) =>
        call('PATCH /stores/{storeId}/products/{productId}', {
          params: { storeId, productId },
          body: { isActive: isOn },
        })
      }
      onSaved={(changed) => {
        updateCachedProduct(queryClient, storeId, changed);
        notify(t(changed.isActive ? 'catalog.activated' : 'catalog.deactivated', { name: changed.name }));
      }}
    />
  );
}
