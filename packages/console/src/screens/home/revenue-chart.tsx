import { Box, Group, Skeleton, Text } from '@mantine/core';
import type { HomeDay } from '@store-sales/contract/console';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { useMoney } from '../../shell/money.ts';
import { Table } from '../../shell/table.tsx';

const RevenuePlot = lazy(async () => ({ default: (await import('./revenue-plot.tsx')).RevenuePlot }));

interface RevenueChartProps {
  days: HomeDay[];
  money(kopecks: number): string;
}

/** Revenue by day against the period before, and the same figures as a table. */
export function RevenueChart({ days, money }: RevenueChartProps) {
  const { t } = useTranslation();
  const { day: formatDay } = useDates();
  const { axisMoney } = useMoney();
  const name = ({ date }: HomeDay) => formatDay(date);
  const best = days.reduce((max, day) => (day.revenue > max.revenue ? day : max));
  const [index, setIndex] = useState<number>();
  const labels = useMemo(() => days.map(({ date }) => formatDay(date)), [days, formatDay]);
  const current = useMemo(() => days.map(({ revenue }) => revenue), [days]);
  const previous = useMemo(() => days.map(({ previousRevenue }) => previousRevenue), [days]);
  const [first, last] = [days[0] as HomeDay, days.at(-1) as HomeDay];
  if (!best.revenue)
    return (
      <Text c="dimmed" py={64} ta="center">
        {t('home.chartEmpty')}
      </Text>
    );
  const values = { from: name(first), to: name(last), best: name(best), amount: money(best.revenue) };
  const shown = days[index ?? -1];
  const textOf = (day: HomeDay) =>
    t('home.dayAgainst', {
      date: name(day),
      amount: money(day.revenue),
      orders: day.orders,
      previous: money(day.previousRevenue),
    });
  const move = (event: KeyboardEvent) => {
    const from = index ?? (event.key === 'ArrowRight' ? -1 : days.length);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: days.length - 1 }[event.key];
    if (event.key === 'Escape') setIndex(undefined);
    if (to === undefined) return;
    event.preventDefault();
    setIndex(Math.min(Math.max(to, 0), days.length - 1));
  };
  return (
    <Box>
      <Text size="sm" mih={22} style={{ fontVariantNumeric: 'tabular-nums' }} aria-hidden>
        {shown ? textOf(shown) : t('home.peak', { date: name(best), amount: money(best.revenue) })}
      </Text>
      {/* A slider, because arrow keys choose a day and its text is read out. */}
      <Box
        role="slider"
        tabIndex={0}
        aria-label={t('home.chart', values)}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(index ?? days.length - 1) + 1}
        aria-valuetext={textOf(shown ?? last)}
        onKeyDown={move}
        onBlur={() => setIndex(undefined)}
        style={{ borderRadius: 6 }}
      >
        <Suspense fallback={<Skeleton h={260} />}>
          <RevenuePlot
            labels={labels}
            current={current}
            previous={previous}
            index={index}
            onIndex={setIndex}
            format={axisMoney}
          />
        </Suspense>
      </Box>
      <Group gap="lg" mt={4}>
        <Key dash={false}>{t('home.thisPeriod')}</Key>
        <Key dash>{t('home.previousPeriod')}</Key>
      </Group>
      <DayTable days={days} name={name} money={money} />
    </Box>
  );
}

interface DayTableProps extends RevenueChartProps {
  name(day: HomeDay): string;
}

/** Its rows are rendered when it is opened. */
function DayTable({ days, name, money }: DayTableProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="details" mt="sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
        {t('home.table')}
      </Text>
      {isOpen && (
        <Table compact="rows" style={{ marginTop: 10 }} aria-label={t('home.byDay')}>
          <thead>
            <tr>
              <Table.Th>{t('home.date')}</Table.Th>
              <Table.Th ta="right">{t('nav.orders')}</Table.Th>
              <Table.Th ta="right">{t('home.revenue')}</Table.Th>
              <Table.Th ta="right">{t('home.previousPeriod')}</Table.Th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.date}>
                <Table.Td>{name(day)}</Table.Td>
                <Table.Td ta="right">{day.orders}</Table.Td>
                <Table.Td ta="right">{money(day.revenue)}</Table.Td>
                <Table.Td ta="right">{money(day.previousRevenue)}</Table.Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Box>
  );
}

/** A line of the legend. */
const Key = ({ dash, children }: { dash: boolean; children: ReactNode }) => (
  <Group gap={6} wrap="nowrap">
    <Box
      w={18}
      aria-hidden
      style={{
        borderTop: dash ? '2px dashed var(--mantine-color-dimmed)' : '2px solid var(--mantine-color-indigo-5)',
      }}
    />
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  </Group>
);
