import { Group, Stack, Text } from '@mantine/core';
import type { Order, OrderChange } from '@store-sales/contract';
import type { OrderChoices, OrderDetails } from '@store-sales/contract/console';
import { useMutation, useQuery } from '@tanstack/react-query';
import { choicesQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { Select } from '../../shell/select.tsx';
import { paymentTypeName, statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { Balance } from './balance.tsx';
import { PaymentBadge, StatusBadge } from './status-badges.tsx';
import { useChangeOrder } from './use-change-order.ts';

/** Status and payment. */
export function OrderState({ details: { order }, onEditPaid }: { details: OrderDetails; onEditPaid(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data: choices } = useQuery(choicesQuery(storeId));
  const may = useMay();
  const State = may('changeOrders') ? Selects : Badges;
  return (
    <Panel title={t('orders.state')}>
      <Stack>
        <State order={order} choices={choices} />
        {order.paymentType && (
          <Text size="sm" c="dimmed">
            {t('orders.paymentType')}: {paymentTypeName(order.paymentType, t)}
          </Text>
        )}
        <Balance order={order} choices={choices} onEdit={may('changeOrders') ? onEditPaid : undefined} />
      </Stack>
    </Panel>
  );
}

interface StateProps {
  order: Order;
  choices: OrderChoices | undefined;
}

const Badges = ({ order, choices }: StateProps) => (
  <Group gap="xs">
    <StatusBadge of={order} choices={choices} />
    <PaymentBadge of={order} choices={choices} />
  </Group>
);

/** A selection is saved immediately. */
function Selects({ order, choices }: StateProps) {
  const { t } = useTranslation();
  const change = useChangeOrder(order.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: OrderChange) => change(values),
    onSuccess: () => notify(t('orders.saved')),
  });
  const statuses = choices?.statuses.filter(({ isActive, id }) => isActive || id === order.status.id) ?? [];
  const groups = [...new Set(statuses.map(({ group }) => group))];
  const payments = choices?.paymentStatuses.filter(({ isActive, id }) => isActive || id === order.paymentStatus.id);
  const option = (status: { id: string; code: string | null; name: string }) => ({
    value: status.id,
    label: statusName(status, t),
  });
  const color = payments?.find(({ id }) => id === order.paymentStatus.id)?.color;
  return (
    <>
      <ProblemAlert>{error ? explain(error, t) : undefined}</ProblemAlert>
      <Select
        label={t('orders.status')}
        data={groups.map((group) => ({
          group: t(`orders.groups.${group}`),
          items: statuses.filter((status) => status.group === group).map(option),
        }))}
        value={order.status.id}
        disabled={isPending || !choices}
        onChange={(statusId) => statusId && mutate({ statusId })}
      />
      <Select
        label={t('orders.payment')}
        data={payments?.map(option) ?? []}
        value={order.paymentStatus.id}
        leftSection={color && <Dot color={color} />}
        disabled={isPending || !choices}
        onChange={(paymentStatusId) => paymentStatusId && mutate({ paymentStatusId })}
      />
    </>
  );
}

const Dot = ({ color }: { color: string }) => (
  <span aria-hidden style={{ width: 8, height: 8, borderRadius: 4, background: color }} />
);
