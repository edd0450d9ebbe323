import { Button, Group, Stack, Text } from '@mantine/core';
import type { OrderCounts, OrderPageQuery } from '@store-sales/contract/console';
import { type OrderSort, orderSorts } from '@store-sales/contract/values';
import { IconPlus, IconShoppingCart, IconTruckDelivery } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { choicesQuery } from '../../api/orders.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { useMoney } from '../../shell/money.ts';
import { Page } from '../../shell/page.tsx';
import { PagedList } from '../../shell/paged-list.tsx';
import { Select } from '../../shell/select.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { useColumns } from './columns.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Filters } from './filters.tsx';
import { OrderTable } from './order-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { useCounts } from './use-counts.ts';
import { useSelection } from './use-selection.ts';
import { changedView, DEFAULT_SORT, filtersOf, saveView, toQuery, type ViewChange } from './view.ts';
import { ViewSwitch } from './view-switch.tsx';
import { ViewsMenu } from './views-menu.tsx';

const TrackingDialog = lazyDialog(() => import('./tracking-dialog.tsx'));

const route = getRouteApi('/signed-in/stores/$storeId/orders');

/** The filters, the sort and the page are in the URL. */
export function Orders() {
  const { t } = useTranslation();
  const { id: storeId, timezone } = useStore();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const choices = useQuery(choicesQuery(storeId));
  const { cursor, ...view } = address;
  const { order: sort = DEFAULT_SORT } = view;
  const search = toQuery(view, timezone);
  const orders = useQuery({
    ...query('GET /stores/{storeId}/orders', {
      params: { storeId },
      query: { ...search, ...(cursor && { cursor }) },
    }),
    placeholderData: keepPreviousData,
  });
  const counts = useCounts(storeId, search);
  const [columns, setColumns] = useColumns(storeId);
  const filters = filtersOf(view);
  const selection = useSelection(JSON.stringify([storeId, filters]), orders.data?.data);
  useEffect(() => void saveView(storeId, address), [storeId, address]);

  const change = (changed: ViewChange) => void navigate({ search: changedView(view, changed), replace: true });
  const setSort = (order: OrderSort) => change({ order: order === DEFAULT_SORT ? undefined : order });
  const clear = () => void navigate({ search: {}, replace: true });
  const go = (to: string | undefined, state: { previousCursors: string[] }) =>
    void navigate({ search: to ? { ...view, cursor: to } : view, state, resetScroll: true });
  const selected = filters.status
    ? counts?.statuses.find(
        ({ id }) => id === choices.data?.statuses.find((s) => (s.code ?? s.id) === filters.status)?.id,
      )
    : counts?.all;

  return (
    <Page title={t('nav.orders')} action={<Actions storeId={storeId} query={search} />}>
      <Stack gap="md">
        <StatusTabs view={view} choices={choices.data} counts={counts} />
        <Filters view={view} choices={choices.data} onChange={change} onClear={clear}>
          <Select
            hiddenFrom="md"
            flex={1}
            disabled={view.q !== undefined}
            aria-label={t('orders.sort')}
            data={orderSorts.map((value) => ({ value, label: t(`orders.sorts.${value}`) }))}
            value={view.q ? DEFAULT_SORT : sort}
            onChange={(value) => value && setSort(value as OrderSort)}
          />
          <ViewsMenu
            view={view}
            columns={columns}
            onApply={({ id, filters, columns }) => {
              setColumns(columns);
              void navigate({ search: { ...filters, view: id } });
            }}
            onSaved={(id) => change({ view: id })}
          />
          <ColumnsMenu columns={columns} onChange={setColumns} />
        </Filters>
      </Stack>
      <Stack gap="sm">
        <SelectionBar
          selection={selection}
          query={search}
          choices={choices.data}
          count={selected}
          hasOtherPages={cursor !== undefined || orders.data?.page.nextCursor !== null}
        />
        {selected && selected.count > 0 && <Sum of={selected} />}
        <PagedList
          query={orders}
          cursor={cursor}
          isFiltered={Object.keys(filters).length > 0}
          icon={IconShoppingCart}
          texts={{
            none: t('orders.noneText'),
            older: t('orders.olderText'),
            emptyTitle: t('orders.emptyTitle'),
            empty: t('orders.emptyText'),
          }}
          onNavigate={go}
          onSearchOlder={(next) => void navigate({ search: { ...view, cursor: next }, replace: true })}
          onClear={clear}
        >
          {(page) => (
            <OrderTable
              orders={page}
              choices={choices.data}
              columns={columns}
              {...(!view.q && { sorting: { order: sort, onSort: setSort } })}
              selection={selection}
            />
          )}
        </PagedList>
      </Stack>
    </Page>
  );
}

function Sum({ of: { sum, isSumMore } }: { of: OrderCounts['all'] }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {t(isSumMore ? 'orders.sumMore' : 'orders.sum', { sum: money(sum) })}
    </Text>
  );
}

function Actions({ storeId, query }: { storeId: string; query: OrderPageQuery }) {
  const { t } = useTranslation();
  const may = useMay();
  const [isTracking, setTracking] = useState(false);
  return (
    // Wraps at 320 px, where the Russian texts do not fit in one row.
    <Group gap="xs" w={{ base: '100%', sm: 'auto' }}>
      <ViewSwitch value="table" />
      <ExportMenu storeId={storeId} view={query} />
      {may('changeOrders') && (
        <Button variant="default" leftSection={<IconTruckDelivery size={18} />} onClick={() => setTracking(true)}>
          {t('orders.tracking.open')}
        </Button>
      )}
      {isTracking && <TrackingDialog storeId={storeId} onClose={() => setTracking(false)} />}
      {may('changeOrders') && (
        <LinkButton
          ml={{ base: 'auto', sm: 0 }}
          leftSection={<IconPlus size={18} />}
          to="/stores/$storeId/orders/new"
          params={{ storeId }}
        >
          {t('orders.create')}
        </LinkButton>
      )}
    </Group>
  );
}
