import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';

/** With the minus sign that typographers use. */
export const counted = (count: number) => String(count).replace('-', '−');

/** A quantity: below zero and sold out stand out, low a little; a dash if the product is not tracked. */
export function StockCount({ of: count }: { of: number | null }) {
  const { t } = useTranslation();
  const { lowStock } = useStore();
  const isLow = count !== null && count > 0 && count <= lowStock;
  const color = count === null ? 'dimmed' : count <= 0 ? 'var(--mantine-color-error)' : undefined;
  const state = count === null ? 'untracked' : count < 0 ? 'belowZero' : count === 0 ? 'soldOut' : isLow ? 'low' : '';
  return (
    <Text
      span
      size="sm"
      fw={count !== null && count <= lowStock ? 600 : 400}
      {...(color && { c: color })}
      {...(state && { title: t(`catalog.stockStates.${state}`) })}
      style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
    >
      {count === null ? '—' : counted(count)}
    </Text>
  );
}

/** The stock of a product, and the way to its warehouses and movements. */
export function StockButton({ of, onClick }: { of: number | null; onClick(): void }) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" fw={500}>
        {t('catalog.stock')}: <StockCount of={of} />
      </Text>
      <Button variant="default" size="xs" onClick={onClick}>
        {t('catalog.openStock')}
      </Button>
    </Group>
  );
}
