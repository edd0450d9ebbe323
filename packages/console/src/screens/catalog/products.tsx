import { Box, Button, Group, Stack } from '@mantine/core';
import type { ProductPageQuery } from '@store-sales/contract/console';
import { productSorts, stockStates } from '@store-sales/contract/values';
import { IconFileImport, IconPackage, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ProductView, productPageQuery } from '../../api/catalog.ts';
import { urlOf } from '../../api/client.ts';
import { loadTexts, useTranslation } from '../../i18n/index.ts';
import { ExportButton } from '../../shell/export-button.tsx';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { PagedList } from '../../shell/paged-list.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { Select } from '../../shell/select.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { BulkSwitch } from './bulk-switch.tsx';
import { CategorySelect } from './category-select.tsx';
import { ProductTable } from './product-table.tsx';

const ProductDrawer = lazyDialog(async () => {
  await loadTexts('pictures');
  return import('./product-drawer.tsx');
});
const ProductDetails = lazyDialog(() => import('./product-details.tsx'));
const ProductStock = lazyDialog(() => import('./product-stock.tsx'));
const route = getRouteApi('/signed-in/stores/$storeId/catalog/products');

/** The filters, the page and the open product are in the URL. */
export function Products() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { product, copy, stockOf, ...address } = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()('changeCatalog');
  const products = useQuery(productPageQuery(storeId, address));
  const { cursor, ...view } = address;
  const { sort: _, ...filters } = address;
  const isFiltered = Object.keys(filters).length > 0;
  // The selection belongs to this page of the list.
  const place = JSON.stringify(address);
  const [selection, setSelection] = useState({ place, ids: [] as string[] });
  const shown = products.data?.data.map(({ id }) => id) ?? [];
  const selected = selection.place === place ? selection.ids.filter((id) => shown.includes(id)) : [];
  const select = (ids: string[]) => setSelection({ place, ids });

  const show = (search: ProductView, replace = true) => void navigate({ search, replace, resetScroll: false });
  const { sort: _sort, ...exported } = view;
  const exportOf = (decimal: 'point' | 'comma') =>
    urlOf('GET /stores/{storeId}/products/export', { params: { storeId }, query: { ...exported, decimal } });
  const clear = () => show(view.sort ? { sort: view.sort } : {});
  const add = mayChange && (
    <Button
      leftSection={<IconPlus size={18} />}
      w={{ base: '100%', xs: 'auto' }}
      onClick={() => show({ ...address, product: 'new' }, false)}
    >
      {t('catalog.addProduct')}
    </Button>
  );
  return (
    <Stack gap="md">
      <Filters
        view={view}
        onChange={show}
        action={
          (products.data?.data.length || isFiltered) && (
            <Group gap="sm" wrap="nowrap">
              <ExportButton hint={t('catalog.exportHint')} hrefOf={exportOf} />
              {add}
            </Group>
          )
        }
      />
      {mayChange && selected.length > 0 && (
        <BulkSwitch
          products={(products.data?.data ?? []).filter(({ id }) => selected.includes(id))}
          onDone={() => select([])}
        />
      )}
      <PagedList
        query={products}
        cursor={cursor}
        isFiltered={isFiltered}
        icon={IconPackage}
        texts={{
          none: t('catalog.noneText'),
          older: t('catalog.olderText'),
          emptyTitle: t('catalog.emptyTitle'),
          empty: mayChange ? t('catalog.emptyText') : '',
        }}
        emptyAction={
          mayChange && (
            <Group justify="center">
              {add}
              <LinkButton
                variant="default"
                leftSection={<IconFileImport size={18} />}
                to="/stores/$storeId/catalog/import"
                params={{ storeId }}
              >
                {t('catalog.importFile')}
              </LinkButton>
            </Group>
          )
        }
        onNavigate={(to, state) => void navigate({ search: to ? { ...view, cursor: to } : view, state })}
        onSearchOlder={(to) => show({ ...view, cursor: to })}
        onClear={clear}
        onSearch={(q) => show({ ...view, q })}
      >
        {(page) => (
          <ProductTable
            products={page}
            {...(mayChange && { selection: { ids: selected, onSelect: select } })}
            onOpen={(id) => show({ ...address, product: id }, false)}
            onOpenStock={(id) => show({ ...address, stockOf: id }, false)}
          />
        )}
      </PagedList>
      {product && !mayChange && product !== 'new' && (
        <ProductDetails
          id={product}
          onOpenStock={() => show({ ...address, stockOf: product }, false)}
          onClose={() => show(address)}
        />
      )}
      {product && mayChange && (
        <ProductDrawer
          id={product}
          copy={copy}
          onDuplicate={(id) => show({ ...address, product: 'new', copy: id }, false)}
          onOpenStock={() => show({ ...address, stockOf: product }, false)}
          onClose={() => show(address)}
        />
      )}
      {stockOf && <ProductStock id={stockOf} onClose={() => show(address)} />}
    </Stack>
  );
}

/** A filter by stock sorts by it, unless something else is chosen. */
const sortOf = ({ sort, stock }: ProductPageQuery) => sort ?? (stock ? 'stock:asc' : '');
const sortsFor = ({ stock }: ProductPageQuery) => (stock ? productSorts : (['', ...productSorts] as const));

interface FiltersProps {
  view: Omit<ProductPageQuery, 'cursor'>;
  onChange(view: ProductPageQuery): void;
  action: ReactNode;
}

function Filters({ view, onChange, action }: FiltersProps) {
  const { t } = useTranslation();
  const change = (changed: { [Name in keyof ProductPageQuery]?: string | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...view, ...changed }).filter(([, value]) => value)));
  const isFiltered = [view.q, view.category, view.active, view.stock].some((value) => value !== undefined);
  return (
    <Group gap="sm" role="search" aria-label={t('common.filters')}>
      <Box flex="1 1 240px" maw={{ sm: 360 }}>
        <SearchBox q={view.q ?? ''} hint={t('catalog.searchHint')} onChange={(q) => change({ q })} />
      </Box>
      <CategorySelect
        flex={{ base: '1 1 140px', sm: '0 0 200px' }}
        aria-label={t('catalog.category')}
        none={t('catalog.anyCategory')}
        value={view.category ?? ''}
        onChange={(category) => change({ category: category ?? '' })}
      />
      <Select
        flex={{ base: '1 1 120px', sm: '0 0 150px' }}
        aria-label={t('catalog.state')}
        data={[
          { value: '', label: t('catalog.anyState') },
          { value: 'true', label: t('catalog.on') },
          { value: 'false', label: t('catalog.off') },
        ]}
        value={view.active ?? ''}
        onChange={(active) => change({ active: active ?? '' })}
      />
      <Select
        flex={{ base: '1 1 120px', sm: '0 0 150px' }}
        aria-label={t('catalog.stock')}
        data={[
          { value: '', label: t('catalog.anyStock') },
          ...stockStates.map((value) => ({ value, label: t(`catalog.stockStates.${value}`) })),
        ]}
        value={view.stock ?? ''}
        onChange={(stock) => change({ stock: stock ?? '' })}
      />
      <Select
        flex={{ base: '1 1 120px', sm: '0 0 180px' }}
        aria-label={t('catalog.sort')}
        data={sortsFor(view).map((value) => ({ value, label: t(`catalog.sorts.${value}`) }))}
        value={sortOf(view)}
        onChange={(sort) => change({ sort: sort ?? '' })}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => change({ q: undefined, category: undefined, active: undefined, stock: undefined })}
        >
          {t('common.clearFilters')}
        </Button>
      )}
      {action && (
        <Box ml={{ sm: 'auto' }} w={{ base: '100%', xs: 'auto' }}>
          {action}
        </Box>
      )}
    </Group>
  );
}
