import { Button, Group, Stack, Text } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { balanceOf } from '@store-sales/contract/totals';
import { useTranslation } from '../../i18n/index.ts';
import { useMoney } from '../../shell/money.ts';

/** What an order still costs, or was paid too much. */
export function balance(order: Order, choices: OrderChoices | undefined) {
  const group = choices?.statuses.find(({ id }) => id === order.status.id)?.group;
  return balanceOf(order, group === 'cancelled' || group === 'returned');
}

interface BalanceProps {
  order: Order;
  choices: OrderChoices | undefined;
}

/** Where the payment status alone would say too little: paid in part, edited after payment, or paid too much. */
export function BalanceNote({ order, choices }: BalanceProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { due, overpaid } = balance(order, choices);
  const isUnexpected = overpaid > 0 || (due > 0 && (order.paidAmount > 0 || order.paymentStatus.isPaid));
  if (!isUnexpected) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" style={{ whiteSpace: 'nowrap' }}>
      {overpaid ? t('orders.overpaidNote', { amount: money(overpaid) }) : t('orders.dueNote', { amount: money(due) })}
    </Text>
  );
}

/** What was paid and what is due; `onEdit` for those who may change it. */
export function Balance({ order, choices, onEdit }: BalanceProps & { onEdit: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { due, overpaid } = balance(order, choices);
  const row = (name: string, amount: number, isStrong = false) => (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm" {...(isStrong ? { fw: 600 } : { c: 'dimmed' })}>
        {name}
      </Text>
      <Text
        size="sm"
        {...(isStrong && { fw: 600 })}
        style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
      >
        {money(amount)}
      </Text>
    </Group>
  );
  return (
    <Stack gap={6}>
      {row(t('orders.paid'), order.paidAmount)}
      {overpaid > 0 ? row(t('orders.overpaid'), overpaid, true) : row(t('orders.due'), due, due > 0)}
      {due > 0 && order.paymentStatus.isPaid && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {t('orders.changedAfterPayment', { amount: money(due) })}
        </Text>
      )}
      {onEdit && (
        <Button variant="default" size="xs" mt={6} onClick={onEdit} style={{ alignSelf: 'flex-start' }}>
          {t('orders.editPaid')}
        </Button>
      )}
    </Stack>
  );
}
