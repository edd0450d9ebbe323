import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconArrowLeft, IconArrowMerge, IconPencil, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { customerQuery } from '../../api/customers.ts';
import { choicesQuery } from '../../api/orders.ts';
import { pagesQuery, query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmailLink, PhoneLink } from '../../shell/contact-links.tsx';
import { useDates } from '../../shell/dates.ts';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useMoney } from '../../shell/money.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { TableSkeleton } from '../../shell/table-skeleton.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { OrderTable } from '../orders/order-table.tsx';
import { nameOf } from './name.ts';
import { PersonalData } from './personal-data.tsx';

const CustomerDialog = lazyDialog(() => import('./customer-dialog.tsx'));
const MergeDialog = lazyDialog(() => import('./merge-dialog.tsx'));
const route = getRouteApi('/signed-in/stores/$storeId/customers/$customerId');

export function CustomerPage() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { customerId } = route.useParams();
  const customer = useQuery(customerQuery(storeId, customerId));
  const { data, error } = customer;
  const may = useMay();
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  // It was merged into another one.
  if (data && data.id !== customerId)
    return <Navigate to="/stores/$storeId/customers/$customerId" params={{ storeId, customerId: data.id }} replace />;
  const actions = (
    <Group gap="sm">
      <LinkButton
        variant="default"
        leftSection={<IconArrowLeft size={18} />}
        to="/stores/$storeId/customers"
        params={{ storeId }}
      >
        {t('customers.all')}
      </LinkButton>
      {/* Orders are matched to customers by phone or e-mail. */}
      {may('changeOrders') && (data?.phone || data?.email) && (
        <LinkButton
          leftSection={<IconPlus size={18} />}
          to="/stores/$storeId/orders/new"
          params={{ storeId }}
          search={{ customer: customerId }}
        >
          {t('orders.create')}
        </LinkButton>
      )}
    </Group>
  );
  return (
    <Page title={data ? nameOf(data, t) : t('nav.customers')} action={actions}>
      <Loaded query={customer} pending={<Skeleton h={120} radius="lg" />}>
        {(of) => <Contact of={of} />}
      </Loaded>
      {!error && <Orders storeId={storeId} customerId={customerId} />}
      {data && !data.erasedAt && may('managePersonalData') && <PersonalData of={data} />}
    </Page>
  );
}

function Contact({ of }: { of: Customer }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const { money } = useMoney();
  const { id: storeId } = useStore();
  const { data: sales } = useQuery(
    query('GET /stores/{storeId}/customers/{customerId}/sales', { params: { storeId, customerId: of.id } }),
  );
  const may = useMay();
  const [dialog, setDialog] = useState<'edit' | 'merge'>();
  const count = sales && (sales.isPartial ? t('customers.newest', { count: sales.orders }) : sales.orders);
  const facts: Fact[] = [
    [t('customers.phone'), of.phone && <PhoneLink phone={of.phone} />],
    [t('customers.email'), of.email && <EmailLink email={of.email} />],
    [t('customers.externalId'), of.externalId],
    [t('customers.since'), dateTime(of.createdAt)],
    [t('customers.updated'), dateTime(of.updatedAt)],
    [t('customers.erasedAt'), of.erasedAt && dateTime(of.erasedAt)],
    [t('nav.orders'), count === 0 ? '0' : count],
    [t('customers.revenue'), sales && money(sales.revenue)],
  ];
  const close = () => setDialog(undefined);
  const actions = may('changeCustomers') && !of.erasedAt && (
    <Group gap="xs">
      <Button variant="default" size="xs" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
        {t('common.edit')}
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
  const list = useInfiniteQuery({
    ...pagesQuery('GET /stores/{storeId}/customers/{customerId}/orders', {
      params: { storeId, customerId },
      query: {},
    }),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  return (
    <Stack component="section" gap="sm" aria-label={t('nav.orders')}>
      <Text component="h2" fz="lg" fw={600} m={0}>
        {t('nav.orders')}
      </Text>
      <Loaded query={list} pending={<TableSkeleton />}>
        {(orders) =>
          orders.length ? (
            <div>
              <OrderTable orders={orders} choices={choices.data} />
            </div>
          ) : (
            <Text c="dimmed">{t('customers.noOrders')}</Text>
          )
        }
      </Loaded>
      <ShowMore query={list} />
    </Stack>
  );
}
