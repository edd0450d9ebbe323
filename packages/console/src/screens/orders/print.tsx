import { Button, Group, SegmentedControl, Text, Textarea, Title } from '@mantine/core';
import type { ListedOrder, OrderPageQuery } from '@store-sales/contract/console';
import { MAX_SELECTED } from '@store-sales/contract/values';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { sellerQuery } from '../../api/account.ts';
import { choicesQuery, findOrders } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { useTitle } from '../../shell/page.tsx';
import { SessionDialog } from '../../shell/session-dialog.tsx';
import { useStore } from '../../shell/use-store.ts';
import classes from './print.module.css';
import { PrintedOrder } from './printed-order.tsx';

const route = getRouteApi('/stores/$storeId/orders/print');

/** Packing slips or invoices, one order to a page, in the language of the console: a store has none of its own. */
export function PrintOrders() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { kind, ...query } = route.useSearch();
  const navigate = route.useNavigate();
  const [loaded, setLoaded] = useState(0);
  const { data: choices } = useQuery(choicesQuery(storeId));
  const { data: seller } = useQuery(sellerQuery(storeId));
  const [note, setNote] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: [{ storeId }, 'GET /stores/{storeId}/orders', { print: query }],
    queryFn: () => loadOrders(storeId, query, setLoaded),
    // What is about to be printed does not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = t(kind === 'slip' ? 'orders.slips' : 'orders.invoices');
  useTitle(title);
  return (
    <main className={classes.page}>
      <SessionDialog />
      <div className={classes.toolbar}>
        <Group justify="space-between">
          <Title order={1} fz={22}>
            {title}
          </Title>
          <Group gap="sm">
            <SegmentedControl
              aria-label={t('orders.printed.kind')}
              value={kind}
              onChange={(value) => void navigate({ search: { ...query, kind: value as typeof kind }, replace: true })}
              data={(['slip', 'invoice'] as const).map((value) => ({ value, label: t(`orders.printed.${value}`) }))}
            />
            <Button
              leftSection={<IconPrinter size={18} />}
              disabled={!data?.orders.length}
              onClick={() => window.print()}
            >
              {t('orders.print')}
            </Button>
          </Group>
        </Group>
        {!!data?.orders.length && (
          <Textarea
            mt="sm"
            label={t('orders.printed.note')}
            description={t('orders.printed.noteHint')}
            autosize
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        )}
        {data?.hasMore && <Text mt="sm">{t('orders.printed.limit', { max: MAX_SELECTED })}</Text>}
        {data?.orders.length === 0 && <Text mt="sm">{t('orders.printed.none')}</Text>}
        {!data && !error && (
          <Text mt="sm" role="status">
            {t('orders.printed.loading', { done: loaded })}
          </Text>
        )}
        {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      </div>
      {choices &&
        seller &&
        data?.orders.map((order) => (
          <PrintedOrder key={order.id} order={order} choices={choices} kind={kind} seller={seller} note={note} />
        ))}
    </main>
  );
}

/** The orders with their items, page by page. */
async function loadOrders(storeId: string, query: OrderPageQuery, onProgress: (count: number) => void) {
  const orders: ListedOrder[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page } = await findOrders(storeId, { ...query, with: 'items', ...(cursor && { cursor }) });
    orders.push(...data);
    onProgress(orders.length);
    if (orders.length >= MAX_SELECTED)
      return { orders: orders.slice(0, MAX_SELECTED), hasMore: orders.length > MAX_SELECTED || page.hasMore };
    cursor = page.nextCursor;
  }
  return { orders, hasMore: false };
}
