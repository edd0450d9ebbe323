import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import type { Store } from '@store-sales/contract/console';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { CopyButton } from '../../shell/copy-button.tsx';
import { useDates } from '../../shell/dates.ts';
import { useCurrencies } from '../../shell/money.ts';
import { Panel } from '../../shell/panel.tsx';

/** Values that the owner cannot change here. */
export function AboutStore({ store }: { store: Store }) {
  const { t } = useTranslation();
  const { date } = useDates();
  const currency = useCurrencies().find(({ value }) => value === store.currency)?.label ?? store.currency;
  return (
    <Panel title={t('stores.about')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
        <Fact name={t('stores.currency')} hint={t('stores.currencyFixed')}>
          {currency}
        </Fact>
        <Fact name={t('stores.plan')} hint={t('stores.planHint')}>
          {store.plan === 'optimal' ? t('stores.planOptimal') : t('stores.planBasic')}
        </Fact>
        <Fact name={t('stores.createdAt')}>{date(store.createdAt)}</Fact>
        <Fact name={t('stores.id')} hint={t('stores.idHint')}>
          <Group gap={4} wrap="nowrap">
            <Text span className="code-text">
              {store.id}
            </Text>
            <CopyButton text={store.id} />
          </Group>
        </Fact>
      </SimpleGrid>
    </Panel>
  );
}

function Fact({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <Box>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Box my={2}>{children}</Box>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </Box>
  );
}
