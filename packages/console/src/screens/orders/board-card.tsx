import { ActionIcon, Group, Text } from '@mantine/core';
import type { OrderStatus } from '@store-sales/contract';
import type { ListedOrder, OrderChoices } from '@store-sales/contract/console';
import { IconDots } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { Menu } from '../../shell/menu.tsx';
import { useMoney } from '../../shell/money.ts';
import { statusName } from '../../shell/system-names.ts';
import { BalanceNote } from './balance.tsx';
import classes from './board.module.css';
import { customerName, OrderLink } from './order-table.tsx';
import { PaymentBadge, StatusBadge } from './status-badges.tsx';

interface BoardCardProps {
  order: ListedOrder;
  choices: OrderChoices;
  mayMove: boolean;
  onDrag(order: ListedOrder | undefined): void;
  onMove(status: OrderStatus): void;
}

export function BoardCard({ order, choices, mayMove, onDrag, onMove }: BoardCardProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { dateTime } = useDates();
  return (
    <li
      className={classes.card}
      draggable={mayMove}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', `#${order.number}`);
        onDrag(order);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <OrderLink order={order} />
        {mayMove && <MoveMenu order={order} choices={choices} onMove={onMove} />}
      </Group>
      <Text size="sm" truncate>
        {customerName(order) || t('orders.noCustomer')}
      </Text>
      <Text size="xs" c="dimmed">
        {dateTime(order.createdAt)}
      </Text>
      <Group gap={6} mt={6}>
        {order.status.code === null && <StatusBadge of={order} choices={choices} />}
        <PaymentBadge of={order} choices={choices} />
        <BalanceNote order={order} choices={choices} />
        <Text size="sm" fw={500} ml="auto">
          {money(order.totalAmount)}
        </Text>
      </Group>
    </li>
  );
}

/** For the keyboard, and for statuses other than the main one of a stage. */
function MoveMenu({ order, choices, onMove }: Pick<BoardCardProps, 'order' | 'choices' | 'onMove'>) {
  const { t } = useTranslation();
  const statuses = choices.statuses.filter(({ isActive }) => isActive);
  const groups = [...new Set(statuses.map(({ group }) => group))];
  return (
    <Menu
      align="end"
      width={220}
      target={
        <ActionIcon size="sm" aria-label={t('orders.move', { number: order.number })}>
          <IconDots size={16} />
        </ActionIcon>
      }
    >
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
    </Menu>
  );
}
