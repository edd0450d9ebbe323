import { Box, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Attention, Home as Figures, HomePeriod, Sales } from '@store-sales/contract/console';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { bestProductsQuery, homeQuery } from '../../api/home.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useMoney } from './money.ts';
import { RevenueChart } from './revenue-chart.tsx';

const periods: Record<HomePeriod, true> = { '7': true, '30': true, '90': true };

/** Where the owner arrives: how the store does, and what needs a look. */
export function Home() {
  const { t } = useTranslation();
  const store = useStore();
  const search = useSearch({ from: '/signed-in/stores/$storeId/' });
  const days: HomePeriod = search.days ? `${search.days}` : '30';
  const navigate = useNavigate({ from: '/stores/$storeId/' });
  const { data, error, refetch } = useQuery(homeQuery(store.id, days));
  const money = useMoney(store.currency);
  return (
    <Page
      title={t('home.title')}
      text={t('home.text')}
      action={
        <SegmentedControl
          aria-label={t('home.period')}
          value={days}
          onChange={(value) =>
            void navigate({ search: value === '30' ? {} : { days: value === '7' ? 7 : 90 }, replace: true })
          }
          data={(Object.keys(periods) as HomePeriod[]).map((value) => ({ value, label: t(`home.days${value}`) }))}
        />
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Stack role="status" aria-label={t('common.loading')} gap="xl">
          <Skeleton h={104} radius="lg" />
          <Skeleton h={360} radius="lg" />
        </Stack>
      ) : (
        <>
          {data.attention.length > 0 && <NeedsAttention storeId={store.id} list={data.attention} />}
          <Totals of={data} money={money} />
          <Panel title={t('home.byDay')}>
            <RevenueChart days={data.days} money={money} />
          </Panel>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Statuses of={data} />
            <BestProducts storeId={store.id} days={days} money={money} />
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

type Money = (kopecks: number) => string;

function Totals({ of: { present, before }, money }: { of: Figures; money: Money }) {
  const { t, i18n } = useTranslation();
  const count = (value: number) => value.toLocaleString(i18n.language);
  const average = ({ revenue, orders }: Sales) => (orders ? Math.round(revenue / orders) : 0);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <Total name={t('home.revenue')} now={present.revenue} before={before.revenue} show={money} />
      <Total name={t('home.orders')} now={present.orders} before={before.orders} show={count} />
      <Total name={t('home.average')} now={average(present)} before={average(before)} show={money} />
    </SimpleGrid>
  );
}

function Total({ name, now, before, show }: { name: string; now: number; before: number; show: Money }) {
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const change = !before ? (now ? t('home.isNew') : t('home.noChange')) : percent.format((now - before) / before);
  return (
    <Box className="panel" p={{ base: 'lg', sm: 'md', lg: 'lg' }} component="section" aria-label={name}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={{ base: 26, sm: 20, lg: 26 }} fw={600} lh={1.3} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {show(now)}
      </Text>
      <Text size="sm" c="dimmed">
        <Text span fw={500} c={now < before ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}>
          {change}
        </Text>
        {before > 0 && ` · ${t('home.against', { value: show(before) })}`}
      </Text>
    </Box>
  );
}

function Statuses({ of: { statuses } }: { of: Figures }) {
  const { t, i18n } = useTranslation();
  const most = Math.max(1, ...statuses.map(({ orders }) => orders));
  return (
    <Panel title={t('home.byStatus')}>
      {statuses.length ? (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {statuses.map(({ id, code, name, orders }) => (
            <Box component="li" key={id}>
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm" truncate>
                  {statusName({ code, name }, t)}
                </Text>
                <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {orders.toLocaleString(i18n.language)}
                </Text>
              </Group>
              <Box mt={4} h={4} bg="var(--console-border)" style={{ borderRadius: 2 }} aria-hidden>
                <Box
                  h={4}
                  w={`${(orders / most) * 100}%`}
                  bg="var(--mantine-color-indigo-5)"
                  style={{ borderRadius: 2 }}
                />
              </Box>
            </Box>
          ))}
        </Stack>
      ) : (
        <Nothing />
      )}
    </Panel>
  );
}

function BestProducts({ storeId, days, money }: { storeId: string; days: HomePeriod; money: Money }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(bestProductsQuery(storeId, days));
  return (
    <Panel title={t('home.best')} text={t('home.bestText')}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Stack gap="md" role="status" aria-label={t('common.loading')}>
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} h={36} />
          ))}
        </Stack>
      ) : data.length ? (
        <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.map(({ id, name, sku, quantity, revenue }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap" align="flex-start">
              <Box miw={0}>
                <Text size="sm" fw={500} truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {[sku, t('home.pieces', { count: quantity })].filter(Boolean).join(' · ')}
                </Text>
              </Box>
              <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
                {money(revenue)}
              </Text>
            </Group>
          ))}
        </Stack>
      ) : (
        <Nothing />
      )}
    </Panel>
  );
}

function Nothing() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {t('home.nothing')}
    </Text>
  );
}

function NeedsAttention({ storeId, list }: { storeId: string; list: Attention[] }) {
  const { t } = useTranslation();
  const { dateTime, date } = useFormats();
  return (
    <Panel title={t('home.attention')}>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {list.map(({ kind, id, name, since }) => (
          <Group key={id} component="li" gap="sm" wrap="nowrap" align="flex-start">
            <IconAlertTriangle size={18} color="var(--mantine-color-orange-6)" style={{ flex: 'none' }} aria-hidden />
            <Box miw={0}>
              <Text
                size="sm"
                fw={500}
                c="var(--mantine-color-anchor)"
                style={{ overflowWrap: 'anywhere' }}
                renderRoot={(props) =>
                  kind === 'key_expiring' ? (
                    <Link to="/stores/$storeId/settings/api-keys" params={{ storeId }} {...props} />
                  ) : (
                    <Link
                      to="/stores/$storeId/settings/webhooks/$endpointId"
                      params={{ storeId, endpointId: id }}
                      {...props}
                    />
                  )
                }
              >
                {t(`home.${kind}`, { name })}
              </Text>
              {since && (
                <Text size="sm" c="dimmed">
                  {kind === 'key_expiring'
                    ? t('home.on', { when: date(since) })
                    : t('home.since', { when: dateTime(since) })}
                </Text>
              )}
            </Box>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
