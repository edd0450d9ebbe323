import { Anchor, Box, Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { OrderDetails } from '@store-sales/contract/console';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { orderQuery } from '../../api/orders.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { EditOrder, type Part } from './edit-order.tsx';
import { useOrderFormats } from './formats.ts';
import { OrderItems } from './order-items.tsx';
import { OrderState } from './order-state.tsx';
import { sourceName } from './order-table.tsx';
import { Timeline } from './timeline.tsx';
import { lastView } from './view.ts';

const route = getRouteApi('/signed-in/stores/$storeId/orders/$orderId');

export function Order() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { orderId } = route.useParams();
  const { data, error, refetch } = useQuery(orderQuery(storeId, orderId));
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  const number = data?.order.number;
  return (
    <Page title={number ? t('orders.orderTitle', { number }) : t('orders.number')} action={<BackToOrders />}>
      {data ? (
        <Paper key={orderId} paper={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

export function BackToOrders() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={18} />}
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/orders" params={{ storeId }} search={lastView(storeId)} />
      )}
    >
      {t('orders.all')}
    </Button>
  );
}

function Paper({ paper }: { paper: OrderDetails }) {
  const { t } = useTranslation();
  const { moment } = useOrderFormats();
  const [editing, setEditing] = useState<Part>();
  const { order } = paper;
  const { customer, delivery } = order;
  const place = [delivery.postalCode, delivery.region, delivery.city, delivery.street, delivery.house, delivery.flat];
  const parts = place.filter(Boolean).join(', ');
  const edit = (part: Part, label: string) => (
    <Button variant="default" size="compact-sm" aria-label={label} onClick={() => setEditing(part)}>
      {t('orders.edit')}
    </Button>
  );
  return (
    <>
      <Text c="dimmed" mt={-28}>
        {t('orders.createdBy', { when: moment(order.createdAt) })} · {sourceName(order, t)}
        {order.externalId && ` · ${t('orders.externalId')}: ${order.externalId}`}
      </Text>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <OrderItems order={order} />
            <Timeline paper={paper} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <OrderState paper={paper} />
            <Panel title={t('orders.customer')} action={edit('customer', t('orders.editCustomer'))}>
              {customer.name || customer.phone || customer.email ? (
                <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
                  <Text fw={500}>
                    <CustomerName order={order} />
                  </Text>
                  <Text size="sm">{customer.phone}</Text>
                  <Text size="sm">{customer.email}</Text>
                </Stack>
              ) : (
                <Missing>{t('orders.noCustomer')}</Missing>
              )}
            </Panel>
            <Panel title={t('orders.delivery')} action={edit('delivery', t('orders.editDelivery'))}>
              <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
                {delivery.type && <Text fw={500}>{delivery.type}</Text>}
                {delivery.address && <Text size="sm">{delivery.address}</Text>}
                {parts && (
                  <Text size="sm" c="dimmed">
                    {parts}
                  </Text>
                )}
                {!delivery.address && !parts && <Missing>{t('orders.noAddress')}</Missing>}
              </Stack>
            </Panel>
            <Panel title={t('orders.notes')} action={edit('notes', t('orders.editNotes'))}>
              {order.notes ? (
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {order.notes}
                </Text>
              ) : (
                <Missing>{t('orders.noNotes')}</Missing>
              )}
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
      <EditOrder paper={paper} part={editing} onClose={() => setEditing(undefined)} />
    </>
  );
}

/** Leads to the customer's page, where there is a record of them. */
function CustomerName({ order: { customer } }: { order: OrderDetails['order'] }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const customerId = customer.id;
  if (!customerId) return customer.name;
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/customers/$customerId" params={{ storeId, customerId }} />
      )}
    >
      {customer.name || t('customers.nameless')}
    </Anchor>
  );
}

const Missing = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

function Loading() {
  const { t } = useTranslation();
  return (
    <Grid gap="lg" role="status" aria-label={t('common.loading')}>
      {[8, 4].map((span) => (
        <Grid.Col key={span} span={{ base: 12, md: span }}>
          <Box className="panel" p="lg">
            <Stack gap="lg">
              {[70, 90, 60, 80].map((width) => (
                <Group key={width} wrap="nowrap">
                  <Skeleton h={14} w={`${width}%`} />
                </Group>
              ))}
            </Stack>
          </Box>
        </Grid.Col>
      ))}
    </Grid>
  );
}
