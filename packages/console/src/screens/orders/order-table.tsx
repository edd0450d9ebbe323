import { Anchor, Box, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from './formats.ts';
import { PaymentMark, StatusMark } from './marks.tsx';

interface OrdersProps {
  orders: Order[];
  choices: OrderChoices | undefined;
}

/** A table where there is room for one, cards where there is not. */
export function OrderTable(props: OrdersProps) {
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <WideTable {...props} />
      </Box>
      <Box className="panel" hiddenFrom="md">
        {props.orders.map((order) => (
          <OrderRow key={order.id} order={order} choices={props.choices} />
        ))}
      </Box>
    </>
  );
}

function WideTable({ orders, choices }: OrdersProps) {
  const { t } = useTranslation();
  const { money, moment } = useOrderFormats();
  const { id: storeId } = useStore();
  const navigate = useNavigate();
  const nowrap = { whiteSpace: 'nowrap' } as const;
  return (
    <Table aria-label={t('orders.title')} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('orders.number')}</Table.Th>
          <Table.Th>{t('orders.created')}</Table.Th>
          <Table.Th>{t('orders.customer')}</Table.Th>
          <Table.Th>{t('orders.status')}</Table.Th>
          <Table.Th>{t('orders.payment')}</Table.Th>
          <Table.Th>{t('orders.source')}</Table.Th>
          <Table.Th ta="right">{t('orders.total')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {orders.map((order) => (
          <Table.Tr
            key={order.id}
            style={{ cursor: 'pointer' }}
            onClick={() => navigate({ to: '/stores/$storeId/orders/$orderId', params: { storeId, orderId: order.id } })}
          >
            <Table.Td style={nowrap}>
              <OrderLink order={order} />
            </Table.Td>
            <Table.Td style={nowrap}>{moment(order.createdAt)}</Table.Td>
            <Table.Td maw={220}>
              <Text size="sm" truncate {...(!order.customer.name && !order.customer.phone && { c: 'dimmed' })}>
                {who(order) || t('orders.noCustomer')}
              </Text>
            </Table.Td>
            <Table.Td maw={180}>
              <StatusMark of={order} />
            </Table.Td>
            <Table.Td maw={180}>
              <PaymentMark of={order} choices={choices} />
            </Table.Td>
            <Table.Td style={nowrap}>{sourceName(order, t)}</Table.Td>
            <Table.Td ta="right" style={{ ...nowrap, fontVariantNumeric: 'tabular-nums' }}>
              {money(order.totalAmount)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function OrderRow({ order, choices }: { order: Order; choices: OrderChoices | undefined }) {
  const { t } = useTranslation();
  const { money, moment } = useOrderFormats();
  return (
    <Box className="panel-part" component="article" p="md" pos="relative" aria-label={`#${order.number}`}>
      <Group justify="space-between" wrap="nowrap">
        <OrderLink order={order} isWhole />
        <Text fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {money(order.totalAmount)}
        </Text>
      </Group>
      <Text size="sm" truncate>
        {who(order) || t('orders.noCustomer')}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {moment(order.createdAt)} · {sourceName(order, t)}
      </Text>
      <Group gap="xs">
        <StatusMark of={order} />
        <PaymentMark of={order} choices={choices} />
      </Group>
    </Box>
  );
}

export const who = ({ customer }: Order) => customer.name || customer.phone || customer.email;

const sources = ['api', 'manual', 'site'] as const;

export function sourceName({ source }: Order, t: TFunction): string {
  const known = sources.find((name) => name === source);
  return known ? t(`orders.sources.${known}`) : source;
}

/** `isWhole`: the link covers the card it stands in. */
export function OrderLink({ order, isWhole = false }: { order: Order; isWhole?: boolean }) {
  const { id: storeId } = useStore();
  return (
    <Anchor
      fw={600}
      size="sm"
      className={isWhole ? 'whole-link' : ''}
      onClick={(event) => event.stopPropagation()}
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/orders/$orderId" params={{ storeId, orderId: order.id }} />
      )}
    >
      #{order.number}
    </Anchor>
  );
}

/** As high as a short list, so that nothing jumps when it comes. */
export function OrderTableSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack className="panel" p="md" gap={22} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Group key={index} wrap="nowrap" gap="xl">
          <Skeleton h={14} w={48} />
          <Skeleton h={14} flex={1} maw={140} />
          <Skeleton h={14} flex={2} maw={220} visibleFrom="xs" />
          <Skeleton h={14} w={90} ml="auto" />
        </Group>
      ))}
    </Stack>
  );
}
