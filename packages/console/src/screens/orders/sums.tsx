import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOrderFormats } from './formats.ts';

interface SumsProps {
  goods: number;
  itemDiscounts: number;
  orderDiscount: number;
  promoCode: string;
  deliveryCost: number;
  deliveryDiscount: number;
  total: number;
}

/** From the goods to the total; what is nothing is left out, but for the goods and the delivery. */
export function Sums(sums: SumsProps) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const rows: [string, number][] = [
    [t('orders.goods'), sums.goods],
    [t('orders.itemDiscounts'), -sums.itemDiscounts],
    [
      sums.promoCode ? `${t('orders.orderDiscount')} (${sums.promoCode})` : t('orders.orderDiscount'),
      -sums.orderDiscount,
    ],
    [t('orders.deliveryCost'), sums.deliveryCost],
    [t('orders.deliveryDiscount'), -sums.deliveryDiscount],
  ];
  const always = [t('orders.goods'), t('orders.deliveryCost')];
  return (
    <Stack gap={6}>
      {rows
        .filter(([name, amount]) => amount !== 0 || always.includes(name))
        .map(([name, amount]) => (
          <Row key={name} name={name} amount={money(amount || 0)} />
        ))}
      <Group justify="space-between" pt={4} wrap="nowrap">
        <Text fw={600}>{t('orders.total')}</Text>
        <Text fw={600} data-testid="total" style={{ fontVariantNumeric: 'tabular-nums' }}>
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
