import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconArrowLeft, IconArrowMerge, IconPencil, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { customerOrdersQuery, customerQuery, customerSalesQuery } from '../../api/customers.ts';
import { choicesQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmailLink, PhoneLink } from '../../shell/contact-links.tsx';
import { useDates } from '../../shell/dates.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { late } from '../../shell/late.tsx';
import { useMoney } from '../../shell/money.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { TableSkeleton } from '../../shell/table-skeleton.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { OrderTable } from '../orders/order-table.tsx';

const CustomerDialog = late(() => import('./customer-dialog.tsx'));
const MergeDialog = late(() => import('./merge-dialog.tsx'));
const route = getRouteApi('/signed-in/stores/$storeId/customers/$customerId');

export function CustomerPage() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { customerId } = route.useParams();
  const { data, error, refetch } = useQuery(customerQuery(storeId, customerId));
  const may = useMay();
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  const actions = (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconArrowLeft size={18} />}
        renderRoot={(props) => <Link {...props} to="/stores/$storeId/customers" params={{ storeId }} />}
      >
        {t('customers.all')}
      </Button>
      {/* Orders are matched to customers by phone or e-mail. */}
      {may('changeOrders') && (data?.phone || data?.email) && (
        <Button
          leftSection={<IconPlus size={18} />}
          renderRoot={(props) => (
            <Link {...props} to="/stores/$storeId/orders/new" params={{ storeId }} search={{ customer: customerId }} />
          )}
        >
          {t('customers.newOrder')}
        </Button>
      )}
    </Group>
  );
  return (
    <Page title={data ? data.name || t('customers.nameless') : t('customers.title')} action={actions}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {data ? <Contact of={data} /> : <Skeleton h={120} radius="lg" />}
          <Orders storeId={storeId} customerId={customerId} />
        </>
      )}
    </Page>
  );
}

function Contact({ of }: { of: Customer }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const { money } = useMoney();
  const { id: storeId } = useStore();
  const { data: sales } = useQuery(customerSalesQuery(storeId, of.id));
  const may = useMay();
  const [dialog, setDialog] = useState<'edit' | 'merge'>();
  const count = sales && (sales.isPartial ? t('customers.newest', { count: sales.orders }) : sales.orders);
  const facts: Fact[] = [
    [t('customers.phone'), of.phone && <PhoneLink phone={of.phone} />],
    [t('customers.email'), of.email && <EmailLink email={of.email} />],
    [t('customers.externalId'), of.externalId],
    [t('customers.since'), dateTime(of.createdAt)],
    [t('customers.updated'), dateTime(of.updatedAt)],
    [t('customers.orderCount'), count === 0 ? '0' : count],
    [t('customers.revenue'), sales && money(sales.revenue)],
  ];
  const close = () => setDialog(undefined);
  const actions = may('changeCustomers') && (
    <Group gap="xs">
      <Button variant="default" size="xs" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
        {t('customers.edit')}
      </Button>
      <Button variant="default" size="xs" leftSection={<IconArrowMerge size={16} />} onClick={() => setDialog('merge')}>
        {t('customers.mergeDuplicate')}
      </Button>
    </Group>
  );
  return (
    <Panel title={t('customers.contact')} action={actions}>
      {dialog === 'edit' && <CustomerDialog edited={of} onClose={close} />}
      {dialog === 'merge' && <MergeDialog kept={of} onClose={close} />}
      <Facts of={facts} cols={{ base: 1, xs: 2, md: 3 }} />
    </Panel>
  );
}

function Orders({ storeId, customerId }: { storeId: string; customerId: string }) {
  const { t } = useTranslation();
  const choices = useQuery(choicesQuery(storeId));
  const query = useInfiniteQuery(customerOrdersQuery(storeId, customerId));
  const orders = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Stack component="section" gap="sm" aria-label={t('customers.orders')}>
      <Text component="h2" fz="lg" fw={600} m={0}>
        {t('customers.orders')}
      </Text>
      {query.error && !orders ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !orders ? (
        <TableSkeleton />
      ) : orders.length ? (
        <div>
          <OrderTable orders={orders} choices={choices.data} />
        </div>
      ) : (
        <Text c="dimmed">{t('customers.noOrders')}</Text>
      )}
      <ShowMore query={query} />
    </Stack>
  );
}
