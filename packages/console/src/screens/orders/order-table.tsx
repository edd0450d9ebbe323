import { Box, Checkbox, Group, Text, UnstyledButton } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import type { ListedOrder, OrderChoices } from '@store-sales/contract/console';
import { type OrderColumn, type OrderSort, orderSources } from '@store-sales/contract/values';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { TextLink } from '../../shell/link.tsx';
import { useMoney } from '../../shell/money.ts';
import { Table } from '../../shell/table.tsx';
import { useStore } from '../../shell/use-store.ts';
import { BalanceNote, balance } from './balance.tsx';
import { DEFAULT_COLUMNS } from './columns.ts';
import { PaymentBadge, StatusBadge } from './status-badges.tsx';
import type { Selection } from './use-selection.ts';

interface OrdersProps {
  orders: ListedOrder[];
  choices: OrderChoices | undefined;
  columns?: readonly OrderColumn[];
  /** Without it, the table cannot be sorted. */
  sorting?: Sorting;
  /** Without it, no orders can be selected. */
  selection?: Selection;
}

interface Sorting {
  order: OrderSort;
  onSort(order: OrderSort): void;
}

/** A table on wide screens, cards on a phone. */
export function OrderTable(props: OrdersProps) {
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflowX: 'auto' }}>
        <WideTable {...props} />
      </Box>
      <Box className="panel" hiddenFrom="md">
        {props.orders.map((order) => (
          <OrderCard key={order.id} order={order} {...props} />
        ))}
      </Box>
    </>
  );
}

const sortFields: Partial<Record<OrderColumn, 'createdAt' | 'updatedAt' | 'totalAmount'>> = {
  created: 'createdAt',
  updated: 'updatedAt',
  total: 'totalAmount',
};

export function columnName(column: OrderColumn, t: Translate): string {
  return t(`orders.${column}`);
}

function WideTable({ orders, choices, columns = DEFAULT_COLUMNS, sorting, selection }: OrdersProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const navigate = useNavigate();
  const cell = useCells(choices);
  return (
    <Table aria-label={t('nav.orders')} highlightOnHover compact="columns">
      <thead>
        <tr>
          {selection && (
            <Table.Th w={1} pr={0}>
              <SelectPage orders={orders} selection={selection} />
            </Table.Th>
          )}
          <Table.Th>{t('orders.number')}</Table.Th>
          {columns.map((column) => (
            <ColumnHeader key={column} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr
            key={order.id}
            style={{ cursor: 'pointer' }}
            data-selected={selection?.has(order) || undefined}
            onClick={() => navigate({ to: '/stores/$storeId/orders/$orderId', params: { storeId, orderId: order.id } })}
          >
            {/* A click beside the box must not open the order. */}
            {selection && (
              <Table.Td pr={0} style={{ cursor: 'default' }} onClick={(event) => event.stopPropagation()}>
                <SelectBox order={order} orders={orders} selection={selection} />
              </Table.Td>
            )}
            <Table.Td style={nowrap}>
              <OrderLink order={order} />
            </Table.Td>
            {columns.map((column) => (
              <Table.Td key={column} {...cellProps[column]}>
                {cell[column](order)}
              </Table.Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const nowrap = { whiteSpace: 'nowrap' } as const;
const cellProps: Partial<Record<OrderColumn, { maw?: number; ta?: 'right'; style?: object }>> = {
  created: { style: nowrap },
  updated: { style: nowrap },
  customer: { maw: 220 },
  phone: { style: nowrap },
  status: { maw: 180 },
  payment: { maw: 180 },
  source: { style: nowrap },
  delivery: { maw: 180 },
  externalId: { maw: 160 },
  total: { ta: 'right', style: { ...nowrap, fontVariantNumeric: 'tabular-nums' } },
  due: { ta: 'right', style: { ...nowrap, fontVariantNumeric: 'tabular-nums' } },
};

function useCells(choices: OrderChoices | undefined): Record<OrderColumn, (order: Order) => ReactNode> {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { dateTime } = useDates();
  const text = (value: string, isDimmed = false) => (
    <Text size="sm" truncate {...(isDimmed && { c: 'dimmed' })}>
      {value}
    </Text>
  );
  return {
    created: (order) => dateTime(order.createdAt),
    updated: (order) => dateTime(order.updatedAt),
    customer: (order) => text(customerName(order) || t('orders.noCustomer'), !customerName(order)),
    phone: (order) => order.customer.phone,
    status: (order) => <StatusBadge of={order} choices={choices} />,
    payment: (order) => (
      <>
        <PaymentBadge of={order} choices={choices} />
        <BalanceNote order={order} choices={choices} />
      </>
    ),
    source: (order) => sourceName(order, t),
    delivery: (order) => text(order.delivery.type),
    externalId: (order) => text(order.externalId),
    total: (order) => money(order.totalAmount),
    due: (order) => money(balance(order, choices).due),
  };
}

function ColumnHeader({ column, sorting }: { column: OrderColumn; sorting: Sorting | undefined }) {
  const { t } = useTranslation();
  const name = columnName(column, t);
  const field = sortFields[column];
  const align = (column === 'total' || column === 'due') && ({ ta: 'right' } as const);
  if (!field || !sorting) return <Table.Th {...align}>{name}</Table.Th>;
  const isSorted = sorting.order.startsWith(field);
  const isAscending = sorting.order.endsWith(':asc');
  const Arrow = isAscending ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'} style={nowrap} {...align}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        c={isSorted ? 'var(--mantine-color-text)' : 'inherit'}
        title={t('orders.sortBy', { column: name })}
        onClick={() => sorting.onSort(`${field}:${isSorted && !isAscending ? 'asc' : 'desc'}`)}
      >
        {name}
        <Arrow
          size={14}
          aria-hidden
          style={{ marginLeft: 4, verticalAlign: -2, visibility: isSorted ? 'visible' : 'hidden' }}
        />
      </UnstyledButton>
    </Table.Th>
  );
}

function SelectPage({ orders, selection }: { orders: ListedOrder[]; selection: Selection }) {
  const { t } = useTranslation();
  const isSelected = orders.every(selection.has);
  return (
    <Checkbox
      size="sm"
      aria-label={t('orders.selectPage')}
      checked={isSelected}
      indeterminate={!isSelected && orders.some(selection.has)}
      onChange={() => selection.setPage(orders, !isSelected)}
    />
  );
}

interface SelectBoxProps {
  order: ListedOrder;
  orders: ListedOrder[];
  selection: Selection;
}

const SelectBox = ({ order, orders, selection }: SelectBoxProps) => {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="sm"
      aria-label={t('orders.select', { number: order.number })}
      checked={selection.has(order)}
      // With Shift, all rows from the last one clicked.
      onChange={(event) => selection.toggle(order, orders, (event.nativeEvent as unknown as MouseEvent).shiftKey)}
    />
  );
};

function OrderCard({ order, orders, choices, selection }: OrdersProps & { order: ListedOrder }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { dateTime } = useDates();
  return (
    <Box className="panel-part" component="article" p="md" pos="relative" aria-label={`#${order.number}`}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          {/* Above the link that covers the card. */}
          {selection && (
            <Box pos="relative" style={{ zIndex: 1 }}>
              <SelectBox order={order} orders={orders} selection={selection} />
            </Box>
          )}
          <OrderLink order={order} isWhole />
        </Group>
        <Text fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {money(order.totalAmount)}
        </Text>
      </Group>
      <Text size="sm" truncate>
        {customerName(order) || t('orders.noCustomer')}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {dateTime(order.createdAt)} · {sourceName(order, t)}
      </Text>
      <Group gap="xs">
        <StatusBadge of={order} choices={choices} />
        <PaymentBadge of={order} choices={choices} />
        <BalanceNote order={order} choices={choices} />
      </Group>
    </Box>
  );
}

/** The parts of the address in one line. */
export const addressLine = ({ postalCode, region, city, street, house, flat }: Order['delivery']) =>
  [postalCode, region, city, street, house, flat].filter(Boolean).join(', ');

/** The address once: its parts are left out if the text has all of them. */
export function shippingAddress(delivery: Order['delivery']) {
  const { address: full, postalCode, region, city, street, house, flat } = delivery;
  const text = full.toLowerCase();
  const isSaid = [postalCode, region, city, street, house, flat].every((part) => text.includes(part.toLowerCase()));
  return { full, parts: full && isSaid ? '' : addressLine(delivery) };
}

export const customerName = ({ customer }: Order) => customer.name || customer.phone || customer.email;

export function sourceName({ source }: Order, t: Translate): string {
  const known = orderSources.find((name) => name === source);
  return known ? t(`orders.sources.${known}`) : source;
}

/** `isWhole`: the link covers its whole card. */
export function OrderLink({ order, isWhole = false }: { order: Order; isWhole?: boolean }) {
  const { id: storeId } = useStore();
  return (
    <TextLink
      fw={600}
      size="sm"
      className={isWhole ? 'whole-link' : ''}
      onClick={(event) => event.stopPropagation()}
      to="/stores/$storeId/orders/$orderId"
      params={{ storeId, orderId: order.id }}
    >
      #{order.number}
    </TextLink>
  );
}
