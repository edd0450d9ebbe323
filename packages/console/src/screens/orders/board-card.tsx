import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import type { Order, OrderStatus } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { IconDots } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { statusName } from '../../shell/system-names.ts';
import classes from './board.module.css';
import { useOrderFormats } from './formats.ts';
import { PaymentMark, StatusMark } from './marks.tsx';
import { OrderLink, who } from './order-table.tsx';

interface BoardCardProps {
  order: Order;
  choices: OrderChoices;
  onDrag(order: Order | undefined): void;
  onMove(status: OrderStatus): void;
}

export function BoardCard({ order, choices, onDrag, onMove }: BoardCardProps) {
  const { t } = useTranslation();
  const { money, moment } = useOrderFormats();
  return (
    <li
      className={classes.card}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', `#${order.number}`);
        onDrag(order);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <OrderLink order={order} />
        <MoveMenu order={order} choices={choices} onMove={onMove} />
      </Group>
      <Text size="sm" truncate>
        {who(order) || t('orders.noCustomer')}
      </Text>
      <Group justify="space-between" gap="xs" mb={6} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {moment(order.createdAt)}
        </Text>
        <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
          {money(order.totalAmount)}
        </Text>
      </Group>
      <Group gap={6}>
        {order.status.code === null && <StatusMark of={order} />}
        <PaymentMark of={order} choices={choices} />
      </Group>
    </li>
  );
}

/** The way for the keyboard, and for statuses that are not the main ones of their stage. */
function MoveMenu({ order, choices, onMove }: Omit<BoardCardProps, 'onDrag'>) {
  const { t } = useTranslation();
  const statuses = choices.statuses.filter(({ isActive }) => isActive);
  const groups = [...new Set(statuses.map(({ group }) => group))];
  return (
    <Menu position="bottom-end" shadow="md" radius="md" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="sm"
          aria-label={t('orders.move', { number: order.number })}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {groups.map((group) => (
          <Fragment key={group}>
            <Menu.Label>{t(`orders.groups.${group}`)}</Menu.Label>
            {statuses
              .filter((status) => status.group === group)
              .map((status) => (
                <Menu.Item key={status.id} disabled={status.id === order.status.id} onClick={() => onMove(status)}>
                  {statusName(status, t)}
                </Menu.Item>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
