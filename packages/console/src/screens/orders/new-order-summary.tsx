import { Box, Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { type Draft, draftTotals } from './new-order-draft.ts';
import { Sums } from './sums.tsx';

interface SummaryProps {
  draft: Draft;
  isSending: boolean;
  problem: string | undefined;
}

/** What the order comes to, as it is typed. */
export function NewOrderSummary({ draft, isSending, problem }: SummaryProps) {
  const { t } = useTranslation();
  const totals = draftTotals(draft, { add() {} });
  const itemDiscounts = totals.discountTotal - totals.discount;
  return (
    <Box pos="sticky" top={20}>
      <Panel title={t('orders.summary')}>
        <Stack>
          <Sums
            goods={totals.lineTotals.reduce((sum, amount) => sum + amount, 0) + itemDiscounts}
            itemDiscounts={itemDiscounts}
            orderDiscount={totals.discount}
            promoCode={draft.promoCode}
            deliveryCost={totals.deliveryCost}
            deliveryDiscount={totals.deliveryDiscount}
            total={totals.totalAmount}
          />
          <ProblemAlert>{problem}</ProblemAlert>
          <Button type="submit" loading={isSending} fullWidth>
            {t('orders.submit')}
          </Button>
        </Stack>
      </Panel>
    </Box>
  );
}
