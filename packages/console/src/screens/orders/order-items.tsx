import { Box, Group, Stack, Text } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shell/panel.tsx';
import { useOrderFormats } from './formats.ts';
import { Sums } from './sums.tsx';

/** The lines as they were sold, and what they add up to. */
export function OrderItems({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const items = order.items ?? [];
  const discounts = items.reduce((sum, { discount }) => sum + discount, 0);
  return (
    <Panel title={t('orders.items')}>
      <Stack gap="md">
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <Group component="li" key={item.id} justify="space-between" align="flex-start" wrap="nowrap" gap="md">
              <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={500}>
                  {item.name}
                </Text>
                <Text size="sm" c="dimmed">
                  {[item.sku, `${item.quantity} × ${money(item.unitPrice)}`].filter(Boolean).join(' · ')}
                  {item.discount > 0 && ` − ${money(item.discount)}`}
                </Text>
              </Box>
              <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                {money(item.lineTotal)}
              </Text>
            </Group>
          ))}
        </Stack>
        <Box pt="md" style={{ borderTop: '1px solid var(--console-border)' }}>
          <Sums
            goods={items.reduce((sum, { lineTotal, discount }) => sum + lineTotal + discount, 0)}
            itemDiscounts={discounts}
            orderDiscount={order.discountTotal - discounts}
            promoCode={order.promoCode}
            deliveryCost={order.delivery.cost}
            deliveryDiscount={order.delivery.discount}
            total={order.totalAmount}
          />
        </Box>
      </Stack>
    </Panel>
  );
}
