import { Box, Button, Group, Select, Stack } from '@mantine/core';
import type { ProductPageQuery } from '@store-sales/contract/console';
import { IconFileImport, IconPackage, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProductView, productPageQuery } from '../../api/catalog.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Pages } from '../../shell/pages.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { useStore } from '../../shell/use-store.ts';
import { OrderTableSkeleton } from '../orders/order-table.tsx';
import { CategorySelect } from './category-select.tsx';
import { ProductDrawer } from './product-drawer.tsx';
import { ProductTable } from './product-table.tsx';

const route = getRouteApi('/signed-in/stores/$storeId/catalog/products');

/** The products, page by page, newest first. The view and the product that is open are in the address. */
export function Products() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { product, ...address } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPlaceholderData, refetch } = useQuery(productPageQuery(storeId, address));
  const { cursor, ...view } = address;
  const isFiltered = Object.keys(address).length > 0;

  const show = (search: ProductView, replace = true) => void navigate({ search, replace, resetScroll: false });
  const clear = () => show({});
  const add = (
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
      <Filters view={view} onChange={show} action={data?.data.length || isFiltered ? add : undefined} />
      {error && !isPlaceholderData ? (
        <ErrorState error={error} onRetry={() => (isFiltered ? clear() : void refetch())} />
      ) : !data ? (
        <OrderTableSkeleton />
      ) : data.data.length ? (
        <Box opacity={isPlaceholderData ? 0.6 : 1} aria-busy={isPlaceholderData}>
          <ProductTable products={data.data} onOpen={(id) => show({ ...address, product: id }, false)} />
          <Pages
            cursor={cursor}
            next={isPlaceholderData ? null : data.page.nextCursor}
            onGo={(to, state) => void navigate({ search: to ? { ...view, cursor: to } : view, state })}
          />
        </Box>
      ) : data.page.nextCursor ? (
        <EmptyState icon={IconPackage} title={t('orders.noneTitle')} text={t('catalog.furtherText')}>
          <Button onClick={() => show({ ...view, cursor: data.page.nextCursor as string })}>
            {t('orders.further')}
          </Button>
        </EmptyState>
      ) : isFiltered ? (
        <EmptyState icon={IconPackage} title={t('orders.noneTitle')} text={t('catalog.noneText')}>
          <Button variant="default" onClick={clear}>
            {t('orders.clear')}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState icon={IconPackage} title={t('catalog.emptyTitle')} text={t('catalog.emptyText')}>
          <Group justify="center">
            {add}
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} />}
              renderRoot={(props) => <Link {...props} to="/stores/$storeId/catalog/import" params={{ storeId }} />}
            >
              {t('catalog.importFile')}
            </Button>
          </Group>
        </EmptyState>
      )}
      <ProductDrawer id={product} onClose={() => show(address)} />
    </Stack>
  );
}

interface FiltersProps {
  view: Omit<ProductPageQuery, 'cursor'>;
  onChange(view: ProductPageQuery): void;
  action: ReactNode;
}

function Filters({ view, onChange, action }: FiltersProps) {
  const { t } = useTranslation();
  const change = (changed: { [Name in keyof ProductPageQuery]?: string | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...view, ...changed }).filter(([, value]) => value)));
  return (
    <Group gap="sm" role="search" aria-label={t('orders.filters')}>
      <Box flex="1 1 240px" maw={{ sm: 360 }}>
        <SearchBox q={view.q ?? ''} hint={t('catalog.searchHint')} onChange={(q) => change({ q })} />
      </Box>
      <CategorySelect
        flex={{ base: '1 1 140px', sm: '0 0 200px' }}
        aria-label={t('catalog.category')}
        none={t('catalog.anyCategory')}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
        value={view.category ?? ''}
        onChange={(category) => change({ category: category ?? '' })}
      />
      <Select
        allowDeselect={false}
        checkIconPosition="right"
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
      {Object.keys(view).length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange({})}>
          {t('orders.clear')}
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
