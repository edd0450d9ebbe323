import { Box, Table, Text } from '@mantine/core';
import type { HomeDay } from '@store-sales/contract/console';
import { useTranslation } from 'react-i18next';

const WIDTH = 900;
const HEIGHT = 200;

interface RevenueChartProps {
  days: HomeDay[];
  money(kopecks: number): string;
}

/** A bar for each day; the same figures as a table for whoever reads rather than looks. */
export function RevenueChart({ days, money }: RevenueChartProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const name = ({ date }: HomeDay) => format.format(new Date(`${date}T00:00:00Z`));
  const best = days.reduce((most, day) => (day.revenue > most.revenue ? day : most));
  const [first, last] = [days[0] as HomeDay, days.at(-1) as HomeDay];
  if (!best.revenue)
    return (
      <Text c="dimmed" py={64} ta="center">
        {t('home.chartEmpty')}
      </Text>
    );
  const step = WIDTH / days.length;
  const bar = step * (days.length > 40 ? 0.7 : 0.62);
  const words = { from: name(first), to: name(last), best: name(best), amount: money(best.revenue) };
  return (
    <Box>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('home.chart', words)}
      >
        {[0.25, 0.5, 0.75, 1].map((share) => (
          <line
            key={share}
            x1={0}
            x2={WIDTH}
            y1={HEIGHT - share * (HEIGHT - 8)}
            y2={HEIGHT - share * (HEIGHT - 8)}
            stroke="var(--console-border)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {days.map((day, index) => {
          const height = (day.revenue / best.revenue) * (HEIGHT - 8);
          return (
            <g key={day.date}>
              <title>{t('home.day', { date: name(day), amount: money(day.revenue), orders: day.orders })}</title>
              <rect x={index * step} width={step} height={HEIGHT} fill="transparent" />
              <rect
                x={index * step + (step - bar) / 2}
                y={HEIGHT - height}
                width={bar}
                height={height}
                fill="var(--mantine-color-indigo-5)"
              />
            </g>
          );
        })}
      </svg>
      <Box style={{ display: 'flex', justifyContent: 'space-between' }} aria-hidden>
        <Text size="xs" c="dimmed">
          {name(first)}
        </Text>
        <Text size="xs" c="dimmed">
          {t('home.peak', { date: name(best), amount: money(best.revenue) })}
        </Text>
        <Text size="xs" c="dimmed">
          {name(last)}
        </Text>
      </Box>
      <Box component="details" mt="sm">
        <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
          {t('home.table')}
        </Text>
        <Table mt="xs" verticalSpacing={4} aria-label={t('home.byDay')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('home.date')}</Table.Th>
              <Table.Th ta="right">{t('home.orders')}</Table.Th>
              <Table.Th ta="right">{t('home.revenue')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...days].reverse().map((day) => (
              <Table.Tr key={day.date}>
                <Table.Td>{name(day)}</Table.Td>
                <Table.Td ta="right">{day.orders}</Table.Td>
                <Table.Td ta="right">{money(day.revenue)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Box>
  );
}
