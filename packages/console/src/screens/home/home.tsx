import { Box, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { Attention, Home as HomeData, Sales } from '@store-sales/contract/console';
import { type HomePeriod, homePeriods } from '@store-sales/contract/values';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { homeQuery } from '../../api/home.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { TextLink } from '../../shell/link.tsx';
import { FieldsSkeleton, Loaded } from '../../shell/loaded.tsx';
import { useMoney } from '../../shell/money.ts';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { FirstSteps, stepAbilities } from './first-steps.tsx';
import classes from './home.module.css';
import { RevenueChart } from './revenue-chart.tsx';

export function Home() {
  const { t } = useTranslation();
  const store = useStore();
  const search = useSearch({ from: '/signed-in/stores/$storeId/' });
  const days: HomePeriod = search.days ? `${search.days}` : '30';
  const navigate = useNavigate({ from: '/stores/$storeId/' });
  const home = useQuery(homeQuery(store.id, days));
  // Kept in this browser.
  const [dismissed, setDismissed] = useLocalStorage<string[]>({ key: 'store-sales-setup', defaultValue: [] });
  const isDismissed = dismissed.includes(store.id);
  const may = useMay();
  const steps = home.data?.setup?.filter(({ step }) => may(stepAbilities[step])) ?? [];
  const dismiss = () => setDismissed([...dismissed, store.id]);
  return (
    <Page
      title={t('nav.home')}
      text={t('home.text')}
      action={
        <SegmentedControl
          aria-label={t('orders.period')}
          value={days}
          onChange={(value) =>
            void navigate({ search: value === '30' ? {} : { days: value === '7' ? 7 : 90 }, replace: true })
          }
          data={homePeriods.map((value) => ({ value, label: t(`home.days${value}`) }))}
        />
      }
    >
      <Loaded
        query={home}
        pending={
          <Stack role="status" aria-label={t('common.loading')} gap="xl">
            <Skeleton h={104} radius="lg" />
            <Skeleton h={360} radius="lg" />
          </Stack>
        }
      >
        {(data) => (
          <>
            {data.attention.length > 0 && <NeedsAttention storeId={store.id} list={data.attention} />}
            {steps.length > 0 && !isDismissed ? (
              <FirstSteps storeId={store.id} steps={steps} onDismiss={dismiss} />
            ) : (
              <Figures of={data} storeId={store.id} days={days} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ of: data, storeId, days }: { of: HomeData; storeId: string; days: HomePeriod }) {
  const { t } = useTranslation();
  const { shortMoney: money } = useMoney();
  return (
    <>
      <Totals of={data} storeId={storeId} money={money} />
      <Panel title={t('home.byDay')}>
        <RevenueChart days={data.days} money={money} />
      </Panel>
      <div className={classes.halves}>
        <Statuses of={data} />
        <BestProducts storeId={storeId} days={days} money={money} />
      </div>
    </>
  );
}

type Money = (kopecks: number) => string;

function Totals({ of: { current, previous, due }, storeId, money }: { of: HomeData; storeId: string; money: Money }) {
  const { t, language } = useTranslation();
  const count = (value: number) => value.toLocaleString(language);
  const average = ({ revenue, orders }: Sales) => (orders ? Math.round(revenue / orders) : 0);
  return (
    <div className={classes.totals}>
      <Total name={t('home.revenue')} current={current.revenue} previous={previous.revenue} show={money} />
      <Total name={t('nav.orders')} current={current.orders} previous={previous.orders} show={count} />
      <Total name={t('home.average')} current={average(current)} previous={average(previous)} show={money} />
      <Due of={due} storeId={storeId} money={money} />
    </div>
  );
}

/** Whatever the period. */
function Due({
  of: { orders, amount, isMore },
  storeId,
  money,
}: {
  of: HomeData['due'];
  storeId: string;
  money: Money;
}) {
  const { t } = useTranslation();
  return (
    <section className={`panel ${classes.total}`} aria-label={t('orders.due')}>
      <Text size="sm" c="dimmed">
        {t('orders.due')}
      </Text>
      <p className={classes.amount}>
        {money(amount)}
        {isMore && '+'}
      </p>
      <TextLink size="sm" to="/stores/$storeId/orders" params={{ storeId }} search={{ due: 'yes' }}>
        {t(isMore ? 'home.dueMore' : 'home.dueOrders', { count: orders })}
      </TextLink>
    </section>
  );
}

function Total({ name, current, previous, show }: { name: string; current: number; previous: number; show: Money }) {
  const { t, language } = useTranslation();
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const change = !previous
    ? current
      ? t('home.isNew')
      : t('home.noChange')
    : percent.format((current - previous) / previous);
  return (
    <section className={`panel ${classes.total}`} aria-label={name}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <p className={classes.amount}>{show(current)}</p>
      <Text size="sm" c="dimmed">
        <Text span fw={500} c={current < previous ? 'var(--mantine-color-error)' : 'var(--mantine-color-text)'}>
          {change}
        </Text>
        {previous > 0 && ` · ${t('home.against', { value: show(previous) })}`}
      </Text>
    </section>
  );
}

function Statuses({ of: { statuses } }: { of: HomeData }) {
  const { t, language } = useTranslation();
  const max = Math.max(1, ...statuses.map(({ orders }) => orders));
  return (
    <Panel title={t('orders.byStatus')}>
      {statuses.length ? (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {statuses.map(({ id, code, name, orders }) => (
            <Box component="li" key={id}>
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm" truncate>
                  {statusName({ code, name }, t)}
                </Text>
                <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {orders.toLocaleString(language)}
                </Text>
              </Group>
              <Box mt={4} h={4} bg="var(--console-border)" style={{ borderRadius: 2 }} aria-hidden>
                <Box
                  h={4}
                  w={`${(orders / max) * 100}%`}
                  bg="var(--mantine-color-indigo-5)"
                  style={{ borderRadius: 2 }}
                />
              </Box>
            </Box>
          ))}
        </Stack>
      ) : (
        <NoOrders />
      )}
    </Panel>
  );
}

function BestProducts({ storeId, days, money }: { storeId: string; days: HomePeriod; money: Money }) {
  const { t } = useTranslation();
  const products = useQuery({
    ...query('GET /stores/{storeId}/home/products', { params: { storeId }, query: { days } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={t('home.best')} text={t('home.bestText')}>
      <Loaded query={products} pending={<FieldsSkeleton rows={5} />}>
        {(data) =>
          data.length ? (
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
            <NoOrders />
          )
        }
      </Loaded>
    </Panel>
  );
}

function NoOrders() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {t('home.nothing')}
    </Text>
  );
}

function NeedsAttention({ storeId, list }: { storeId: string; list: Attention[] }) {
  const { t } = useTranslation();
  const { dateTime, date } = useDates();
  const may = useMay();
  const mayOpen = (kind: Attention['kind']) => may(kind === 'key_expiring' ? 'seeKeys' : 'seeWebhooks');
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
                c={mayOpen(kind) ? 'var(--mantine-color-anchor)' : 'var(--mantine-color-text)'}
                style={{ overflowWrap: 'anywhere' }}
                renderRoot={(props) =>
                  !mayOpen(kind) ? (
                    <p {...props} />
                  ) : kind === 'key_expiring' ? (
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
