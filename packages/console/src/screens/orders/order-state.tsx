import { Select, Stack, Text } from '@mantine/core';
import type { OrderChange } from '@store-sales/contract';
import type { OrderDetails } from '@store-sales/contract/console';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { choicesQuery } from '../../api/orders.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { paymentTypeName, statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useChangeOrder } from './use-change-order.ts';

/** Where the order stands and whether it is paid; a choice is saved at once. */
export function OrderState({ paper: { order } }: { paper: OrderDetails }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data: choices } = useQuery(choicesQuery(storeId));
  const change = useChangeOrder(order.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (wanted: OrderChange) => change(wanted),
    onSuccess: () => notify(t('orders.saved')),
  });
  const statuses = choices?.statuses.filter(({ isActive, id }) => isActive || id === order.status.id) ?? [];
  const groups = [...new Set(statuses.map(({ group }) => group))];
  const payments = choices?.paymentStatuses.filter(({ isActive, id }) => isActive || id === order.paymentStatus.id);
  const option = (status: { id: string; code: string | null; name: string }) => ({
    value: status.id,
    label: statusName(status, t),
  });
  const colour = payments?.find(({ id }) => id === order.paymentStatus.id)?.color;
  return (
    <Panel title={t('orders.state')}>
      <Stack>
        <ProblemAlert>{error ? explain(error, t) : undefined}</ProblemAlert>
        <Select
          label={t('orders.status')}
          data={groups.map((group) => ({
            group: t(`orders.groups.${group}`),
            items: statuses.filter((status) => status.group === group).map(option),
          }))}
          value={order.status.id}
          allowDeselect={false}
          checkIconPosition="right"
          disabled={isPending || !choices}
          onChange={(statusId) => statusId && mutate({ statusId })}
        />
        <Select
          label={t('orders.payment')}
          data={payments?.map(option) ?? []}
          value={order.paymentStatus.id}
          allowDeselect={false}
          checkIconPosition="right"
          leftSection={colour && <Dot colour={colour} />}
          disabled={isPending || !choices}
          onChange={(paymentStatusId) => paymentStatusId && mutate({ paymentStatusId })}
        />
        {order.paymentType && (
          <Text size="sm" c="dimmed">
            {t('orders.paymentType')}: {paymentTypeName(order.paymentType, t)}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

const Dot = ({ colour }: { colour: string }) => (
  <span aria-hidden style={{ width: 8, height: 8, borderRadius: 4, background: colour }} />
);
