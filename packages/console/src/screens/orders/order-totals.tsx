import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/index.ts';
import { useMoney } from '../../shell/money.ts';

interface OrderTotalsProps {
  subtotal: number;
  itemDiscounts: number;
  orderDiscount: number;
  promoCode: string;
  /** The part of the order's discount that the code takes off. */
  promoDiscount: number;
  deliveryCost: number;
  deliveryDiscount: number;
  total: number;
  isInvalid?: boolean;
}

/** Zero amounts are hidden, except for the subtotal and the delivery. */
export function OrderTotals(sums: OrderTotalsProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const rows: [string, number][] = [
    [t('orders.subtotal'), sums.subtotal],
    [t('orders.itemDiscounts'), -sums.itemDiscounts],
    [
      // A code that is only a text may be the reason of the discount.
      sums.promoCode && !sums.promoDiscount
        ? `${t('orders.orderDiscount')} (${sums.promoCode})`
        : t('orders.orderDiscount'),
      sums.promoDiscount - sums.orderDiscount,
    ],
    [`${t('orders.promoCode')} ${sums.promoCode}`, -sums.promoDiscount],
    [t('orders.deliveryCost'), sums.deliveryCost],
    [t('orders.deliveryDiscount'), -sums.deliveryDiscount],
  ];
  const always = [t('orders.subtotal'), t('orders.deliveryCost')];
  return (
    <Stack gap={6}>
      {rows
        .filter(([name, amount]) => amount !== 0 || always.includes(name))
        .map(([name, amount]) => (
          <Row key={name} name={name} amount={money(amount || 0)} />
        ))}
      <Group justify="space-between" pt={4} wrap="nowrap">
        <Text fw={600}>{t('orders.total')}</Text>
        <Text
          fw={600}
          data-testid="total"
          {...(sums.isInvalid && { c: 'var(--mantine-color-error)' })}
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {money(sums.total)}
        </Text>
      </Group>
    </Stack>
  );
}

const Row = ({ name, amount }: { name: string; amount: string }) => (
  <Group justify="space-between" wrap="nowrap" gap="md">
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Text>
    <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {amount}
    </Text>
  </Group>
);
