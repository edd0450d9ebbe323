import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import type { EndpointHealth, EndpointHour } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';

const HEIGHT = 48;
const STEP = 10;
const BAR = 7;

export function Health({ of: health }: { of: EndpointHealth }) {
  const { t, language } = useTranslation();
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(language);
  const ms = (value: number | null) => (value === null ? '—' : t('webhooks.ms', { value: number.format(value) }));
  return (
    <Group justify="space-between" align="flex-end" gap="lg">
      <SimpleGrid component="dl" m={0} cols={{ base: 2, xs: 4 }} spacing="xl" verticalSpacing="sm">
        <Figure
          name={t('webhooks.success')}
          value={health.successShare === null ? '—' : share.format(health.successShare)}
        />
        <Figure name={t('webhooks.latency')} value={ms(health.averageMs)} />
        <Figure name={t('webhooks.slowest')} value={ms(health.slowestMs)} />
        <Figure name={t('webhooks.attempts')} value={number.format(health.attempts)} />
      </SimpleGrid>
      <Chart hours={health.hours} />
    </Group>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <Box>
    <Text component="dt" size="xs" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0} fw={600} fz="lg" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {value}
    </Text>
  </Box>
);

/** A stacked bar for each hour: successes, then failures; scaled to the busiest hour. */
function Chart({ hours }: { hours: EndpointHour[] }) {
  const { t } = useTranslation();
  const { time } = useDates();
  const max = Math.max(1, ...hours.map(({ attempts }) => attempts));
  const good = hours.reduce((sum, { successes }) => sum + successes, 0);
  const bad = hours.reduce((sum, { attempts, successes }) => sum + attempts - successes, 0);
  // At least 2 px, so that a single attempt is visible.
  const height = (count: number) => (count ? Math.max(2, (count / max) * HEIGHT) : 0);
  return (
    <svg
      width={hours.length * STEP}
      height={HEIGHT}
      viewBox={`0 0 ${hours.length * STEP} ${HEIGHT}`}
      role="img"
      aria-label={t('webhooks.chart', { good, bad })}
      style={{ maxWidth: '100%', flex: 'none' }}
    >
      {hours.map(({ at, attempts, successes, averageMs }, index) => {
        const [top, base] = [height(attempts - successes), height(successes)];
        const values = { time: time(at), good: successes, bad: attempts - successes, ms: averageMs };
        return (
          <g key={at} transform={`translate(${index * STEP}, 0)`}>
            <title>{t('webhooks.hour', values)}</title>
            <rect width={STEP} height={HEIGHT} fill="transparent" />
            {attempts === 0 && <rect y={HEIGHT - 2} width={BAR} height={2} rx={1} fill="var(--console-border)" />}
            <rect y={HEIGHT - base} width={BAR} height={base} rx={1.5} fill="var(--mantine-color-indigo-5)" />
            <rect
              y={Math.max(0, HEIGHT - base - top)}
              width={BAR}
              height={Math.min(top, HEIGHT)}
              rx={1.5}
              fill="var(--mantine-color-red-6)"
            />
          </g>
        );
      })}
    </svg>
  );
}
