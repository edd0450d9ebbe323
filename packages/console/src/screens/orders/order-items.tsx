import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OrderDetails } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { useMoney } from '../../shell/money.ts';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { OrderTotals } from './order-totals.tsx';

const EditItems = lazyDialog(() => import('./edit-items.tsx'));

export function OrderItems({ details }: { details: OrderDetails }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const may = useMay();
  const [isEditing, { open, close }] = useDisclosure();
  const { order } = details;
  const items = order.items ?? [];
  const discounts = items.reduce((sum, { discount }) => sum + discount, 0);
  return (
    <Panel
      title={t('orders.items')}
      action={
        <>
          {may('changeOrders') && (
            <Button variant="default" size="xs" aria-label={t('orders.editItems')} onClick={open}>
              {t('common.edit')}
            </Button>
          )}
          {isEditing && <EditItems details={details} onClose={close} />}
        </>
      }
    >
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
          <OrderTotals
            subtotal={items.reduce((sum, { lineTotal, discount }) => sum + lineTotal + discount, 0)}
            itemDiscounts={discounts}
            orderDiscount={order.discountTotal - discounts}
            promoCode={order.promoCode}
            promoDiscount={details.promo?.discount ?? 0}
            deliveryCost={order.delivery.cost}
            deliveryDiscount={order.delivery.discount}
            total={order.totalAmount}
          />
        </Box>
      </Stack>
    </Panel>
  );
}
