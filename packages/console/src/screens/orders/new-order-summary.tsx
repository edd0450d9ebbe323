import { Box, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/index.ts';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { type Draft, draftTotals } from './new-order-draft.ts';
import { OrderTotals } from './order-totals.tsx';
import { type OwnPromo, usePromo } from './use-promo.ts';

interface SummaryProps {
  draft: Draft;
  isSending: boolean;
  problem: string | undefined;
}

export function NewOrderSummary({ draft, isSending, problem }: SummaryProps) {
  const { t } = useTranslation();
  return (
    <Box pos="sticky" top={20}>
      <Panel title={t('orders.summary')}>
        <Stack>
          <DraftTotals draft={draft} />
          <ProblemAlert>{problem}</ProblemAlert>
          <Button type="submit" loading={isSending} fullWidth>
            {t('orders.submit')}
          </Button>
        </Stack>
      </Panel>
    </Box>
  );
}

/** Totals while the user types; a total below zero is shown as an error. */
export function DraftTotals({ draft, own }: { draft: Draft; own?: OwnPromo }) {
  const { t } = useTranslation();
  const promo = usePromo(draft, own);
  const totals = draftTotals(draft, { add() {} }, promo.discount);
  const itemDiscounts = totals.discountTotal - totals.discount;
  const isNegative = totals.totalAmount < 0;
  return (
    <Stack gap="xs">
      <OrderTotals
        subtotal={totals.lineTotals.reduce((sum, amount) => sum + amount, 0) + itemDiscounts}
        itemDiscounts={itemDiscounts}
        orderDiscount={totals.discount}
        promoCode={draft.promoCode.trim()}
        promoDiscount={promo.discount}
        deliveryCost={totals.deliveryCost}
        deliveryDiscount={totals.deliveryDiscount}
        total={totals.totalAmount}
        isInvalid={isNegative}
      />
      <Text role="status" size="sm" c="var(--mantine-color-error)">
        {isNegative ? t('orders.negativeTotal') : promo.problem}
      </Text>
    </Stack>
  );
}
