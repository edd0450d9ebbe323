import { Button, Center, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconArrowLeft } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { customerOrdersQuery, customerQuery } from '../../api/customers.ts';
import { choicesQuery } from '../../api/orders.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from '../orders/formats.ts';
import { OrderTable, OrderTableSkeleton } from '../orders/order-table.tsx';

const route = getRouteApi('/signed-in/stores/$storeId/customers/$customerId');

/** One customer: how to reach them, and what they ordered. */
export function CustomerPage() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { customerId } = route.useParams();
  const { data, error, refetch } = useQuery(customerQuery(storeId, customerId));
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  const back = (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={18} />}
      renderRoot={(props) => <Link {...props} to="/stores/$storeId/customers" params={{ storeId }} />}
    >
      {t('customers.all')}
    </Button>
  );
  return (
    <Page title={data ? data.name || t('customers.nameless') : t('customers.title')} action={back}>
      {error ? (
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
  const { moment } = useOrderFormats();
  const facts = [
    [t('customers.phone'), of.phone],
    [t('customers.email'), of.email],
    [t('customers.externalId'), of.externalId],
    [t('customers.since'), moment(of.createdAt)],
    [t('customers.updated'), moment(of.updatedAt)],
  ].filter(([, value]) => value);
  return (
    <Panel title={t('customers.contact')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="md">
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
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
        <OrderTableSkeleton />
      ) : orders.length ? (
        <div>
          <OrderTable orders={orders} choices={choices.data} />
        </div>
      ) : (
        <Text c="dimmed">{t('customers.noOrders')}</Text>
      )}
      {query.hasNextPage && (
        <Center>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('customers.moreOrders')}
          </Button>
        </Center>
      )}
    </Stack>
  );
}
