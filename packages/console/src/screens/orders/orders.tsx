import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { IconDownload, IconPlus, IconShoppingCart } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { choicesQuery, exportAddress, ordersQuery } from '../../api/orders.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { Pages } from '../../shell/pages.tsx';
import { useStore } from '../../shell/use-store.ts';
import { Filters } from './filters.tsx';
import { OrderTable, OrderTableSkeleton } from './order-table.tsx';
import { leaveView, type TableView } from './view.ts';
import { ViewSwitch } from './view-switch.tsx';

const route = getRouteApi('/signed-in/stores/$storeId/orders');

/** All orders, page by page, newest first. The whole view is in the address. */
export function Orders() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const choices = useQuery(choicesQuery(storeId));
  const { data, error, isPlaceholderData, refetch } = useQuery(ordersQuery(storeId, address));
  const { cursor: _cursor, ...view } = address;
  const isFiltered = Object.keys(view).length > 0;
  useEffect(() => void leaveView(storeId, address), [storeId, address]);

  const change = (changed: { [Name in keyof TableView]?: TableView[Name] | undefined }) =>
    void navigate({
      search: Object.fromEntries(Object.entries({ ...view, ...changed }).filter(([, value]) => value !== undefined)),
      replace: true,
    });
  const clear = () => void navigate({ search: {}, replace: true });
  const go = (to: string | undefined, state: { before: string[] }) =>
    void navigate({ search: to ? { ...view, cursor: to } : view, state, resetScroll: true });

  return (
    <Page title={t('orders.title')} action={<Actions storeId={storeId} view={view} />}>
      <Filters view={view} choices={choices.data} onChange={change} onClear={clear} />
      {error && !isPlaceholderData ? (
        <ErrorState error={error} onRetry={() => (isFiltered || address.cursor ? clear() : void refetch())} />
      ) : !data ? (
        <OrderTableSkeleton />
      ) : data.data.length ? (
        <Box opacity={isPlaceholderData ? 0.6 : 1} aria-busy={isPlaceholderData}>
          <OrderTable orders={data.data} choices={choices.data} />
          <Pages cursor={address.cursor} next={isPlaceholderData ? null : data.page.nextCursor} onGo={go} />
        </Box>
      ) : data.page.nextCursor ? (
        <EmptyState icon={IconShoppingCart} title={t('orders.noneTitle')} text={t('orders.furtherText')}>
          <Button onClick={() => change({ cursor: data.page.nextCursor as string })}>{t('orders.further')}</Button>
        </EmptyState>
      ) : isFiltered || address.cursor ? (
        <EmptyState icon={IconShoppingCart} title={t('orders.noneTitle')} text={t('orders.noneText')}>
          <Button variant="default" onClick={clear}>
            {t('orders.clear')}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState icon={IconShoppingCart} title={t('orders.emptyTitle')} text={t('orders.emptyText')} />
      )}
    </Page>
  );
}

function Actions({ storeId, view }: { storeId: string; view: TableView }) {
  const { t } = useTranslation();
  const download = {
    component: 'a',
    variant: 'default',
    href: exportAddress(storeId, view),
    download: true,
    title: t('orders.exportHint'),
  } as const;
  // In one row on a phone too: there the export is only its sign.
  return (
    <Group gap="xs" w={{ base: '100%', sm: 'auto' }} wrap="nowrap">
      <ViewSwitch value="table" />
      <Button {...download} visibleFrom="sm" leftSection={<IconDownload size={18} />}>
        {t('orders.export')}
      </Button>
      <ActionIcon {...download} hiddenFrom="sm" size={36} aria-label={t('orders.export')}>
        <IconDownload size={18} />
      </ActionIcon>
      <Button
        ml={{ base: 'auto', sm: 0 }}
        leftSection={<IconPlus size={18} />}
        renderRoot={(props) => <Link {...props} to="/stores/$storeId/orders/new" params={{ storeId }} />}
      >
        {t('orders.create')}
      </Button>
    </Group>
  );
}
