import { Anchor, Box, Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { OrderDetails } from '@store-sales/contract/console';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { ApiError } from '../../api/client.ts';
import { orderQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmailLink, PhoneLink } from '../../shell/contact-links.tsx';
import { useDates, useForeignZone } from '../../shell/dates.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { TextLink } from '../../shell/link.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { BackToOrders } from './back-to-orders.tsx';
import type { Part } from './edit-order.tsx';
import { MetadataPanel } from './metadata-panel.tsx';
import { OrderItems } from './order-items.tsx';
import { OrderState } from './order-state.tsx';
import { shippingAddress, sourceName } from './order-table.tsx';
import { PrintMenu } from './print-menu.tsx';
import { Shortages } from './shortages.tsx';
import { Timeline } from './timeline.tsx';

const MailCustomer = lazyDialog(() => import('./mail-customer.tsx'));
const EditOrder = lazyDialog(() => import('./edit-order.tsx'));

const route = getRouteApi('/signed-in/stores/$storeId/orders/$orderId');

export function Order() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { orderId } = route.useParams();
  const details = useQuery(orderQuery(storeId, orderId));
  const { data, error } = details;
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  const number = data?.order.number;
  return (
    <Page
      title={number ? t('orders.orderTitle', { number }) : t('orders.number')}
      action={number ? <Actions number={number} /> : <BackToOrders />}
    >
      <Loaded query={details} pending={<Loading />}>
        {(order) => <OrderView key={orderId} details={order} />}
      </Loaded>
    </Page>
  );
}

const Actions = ({ number }: { number: number }) => (
  <Group gap="xs">
    <PrintMenu chosen={{ numbers: String(number) }} />
    <BackToOrders />
  </Group>
);

function OrderView({ details }: { details: OrderDetails }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const zone = useForeignZone();
  const [editing, setEditing] = useState<Part>();
  const [isWriting, setWriting] = useState(false);
  const { mailEnabled } = useQuery(sessionQuery).data ?? {};
  const mayEdit = useMay()('changeOrders');
  const { order } = details;
  const { customer, delivery } = order;
  const { full, parts } = shippingAddress(delivery);
  const edit = (part: Part, label: string) =>
    mayEdit && (
      <Button variant="default" size="xs" aria-label={label} onClick={() => setEditing(part)}>
        {t('common.edit')}
      </Button>
    );
  return (
    <>
      <Text c="dimmed" mt={-28}>
        {t('orders.createdBy', { when: dateTime(order.createdAt) })}
        {zone && ` (${zone})`} · {sourceName(order, t)}
        {order.externalId && ` · ${t('orders.externalId')}: ${order.externalId}`}
      </Text>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Shortages of={details.shortages} />
            <OrderItems details={details} />
            <Timeline details={details} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <OrderState details={details} onEditPaid={() => setEditing('paid')} />
            <Panel title={t('orders.customer')} action={edit('customer', t('orders.editCustomer'))}>
              {customer.name || customer.phone || customer.email ? (
                <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
                  <Text fw={500}>
                    <CustomerName order={order} />
                  </Text>
                  <Text size="sm">{customer.phone && <PhoneLink phone={customer.phone} />}</Text>
                  <Text size="sm">{customer.email && <EmailLink email={customer.email} />}</Text>
                  {mayEdit && mailEnabled && customer.email && (
                    <Group mt="xs">
                      <Button
                        variant="default"
                        size="xs"
                        leftSection={<IconMail size={16} />}
                        onClick={() => setWriting(true)}
                      >
                        {t('orders.mail.open')}
                      </Button>
                    </Group>
                  )}
                </Stack>
              ) : (
                <Missing>{t('orders.noCustomer')}</Missing>
              )}
            </Panel>
            <Panel title={t('orders.delivery')} action={edit('delivery', t('orders.editDelivery'))}>
              <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
                {delivery.type && <Text fw={500}>{delivery.type}</Text>}
                {full && <Text size="sm">{full}</Text>}
                {parts && (
                  <Text size="sm" c="dimmed">
                    {parts}
                  </Text>
                )}
                {!full && !parts && <Missing>{t('orders.noAddress')}</Missing>}
              </Stack>
              <Group justify="space-between" mt="sm" gap="xs" wrap="nowrap">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }} {...(!delivery.trackingNumber && { c: 'dimmed' })}>
                  {delivery.trackingNumber ? `${t('orders.trackingNumber')}: ` : t('orders.noTracking')}
                  {delivery.trackingUrl ? (
                    <Anchor inherit underline="always" href={delivery.trackingUrl} target="_blank" rel="noreferrer">
                      {delivery.trackingNumber}
                    </Anchor>
                  ) : (
                    delivery.trackingNumber
                  )}
                </Text>
                <Box style={{ flex: 'none' }}>{edit('tracking', t('orders.editTracking'))}</Box>
              </Group>
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
            <MetadataPanel details={details} />
          </Stack>
        </Grid.Col>
      </Grid>
      {isWriting && <MailCustomer details={details} onClose={() => setWriting(false)} />}
      {editing && <EditOrder details={details} part={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function CustomerName({ order: { customer } }: { order: OrderDetails['order'] }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const may = useMay();
  const customerId = customer.id;
  if (!customerId || !may('seeCustomers')) return customer.name;
  return (
    <TextLink inherit to="/stores/$storeId/customers/$customerId" params={{ storeId, customerId }}>
      {customer.name || t('customers.nameless')}
    </TextLink>
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
