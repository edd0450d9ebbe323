import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { PromoCode } from '@store-sales/contract/console';
import { IconPlus, IconSearch, IconTicket } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { pagesQuery } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useMoney } from '../../shell/money.ts';
import { SavedSwitch } from '../../shell/saved-switch.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { Table } from '../../shell/table.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { PromoForm } from './promo-form.tsx';

const LIST = 'GET /stores/{storeId}/promo-codes';

export function PromoCodes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const may = useMay();
  const { q } = useSearch({ from: '/signed-in/stores/$storeId/catalog/promo-codes' });
  const navigate = useNavigate({ from: '/stores/$storeId/catalog/promo-codes' });
  const [isAdding, setAdding] = useState(false);
  // Orders change the uses.
  const list = useInfiniteQuery({
    ...pagesQuery(LIST, { params: { storeId }, query: q ? { q } : {} }),
    select: ({ pages }) => pages.flatMap(({ codes }) => codes),
    staleTime: 0,
  });
  const add = may('changeCatalog') && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('promo.add')}
    </Button>
  );
  return (
    <Stack gap="md">
      {(q || !!list.data?.length) && (
        <Group gap="sm" justify="space-between">
          <Box flex="1 1 240px" maw={{ sm: 360 }} role="search">
            <SearchBox
              q={q ?? ''}
              hint={t('promo.search')}
              onChange={(text) => void navigate({ search: text ? { q: text } : {}, replace: true, resetScroll: false })}
            />
          </Box>
          {add}
        </Group>
      )}
      <Loaded query={list}>
        {(codes) =>
          codes.length ? (
            <CodeList codes={codes} />
          ) : q ? (
            <EmptyState icon={IconSearch} title={t('common.noResults')} text={t('promo.noMatchText')} />
          ) : (
            <EmptyState icon={IconTicket} title={t('promo.emptyTitle')} text={t('promo.emptyText')}>
              {add}
            </EmptyState>
          )
        }
      </Loaded>
      <ShowMore query={list} />
      {isAdding && <PromoForm onClose={() => setAdding(false)} />}
    </Stack>
  );
}

/** A table on wide screens, a list on a phone. */
function CodeList({ codes }: { codes: PromoCode[] }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  return (
    <Box>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <Table aria-label={t('catalog.promoCodes')}>
          <thead>
            <tr>
              <Table.Th>{t('promo.code')}</Table.Th>
              <Table.Th>{t('promo.conditions')}</Table.Th>
              <Table.Th ta="right">{t('promo.uses')}</Table.Th>
              <Table.Th ta="right" title={t('promo.revenueHint')}>
                {t('promo.revenue')}
              </Table.Th>
              <Table.Th>{t('promo.active')}</Table.Th>
            </tr>
          </thead>
          <tbody>
            {codes.map((code) => (
              <tr key={code.id}>
                <Table.Td>
                  <Name of={code} />
                </Table.Td>
                <Table.Td>
                  <Conditions of={code} />
                </Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <Uses of={code} />
                </Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {money(code.revenue)}
                </Table.Td>
                <Table.Td>
                  <State of={code} />
                </Table.Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Box>
      <Box component="ul" className="panel" hiddenFrom="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <Box component="li" key={code.id} className="panel-part" px="md" py="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Name of={code} />
              <State of={code} />
            </Group>
            <Conditions of={code} />
            <Group justify="space-between" gap="xs" mt={4}>
              <Text size="sm" c="dimmed">
                {t('promo.uses')}: <Uses of={code} />
              </Text>
              <Text size="sm">{money(code.revenue)}</Text>
            </Group>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function Name({ of: { code, percent, amount } }: { of: PromoCode }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  return (
    <Box miw={0}>
      <Text className="code-text" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {code}
      </Text>
      <Text size="sm" c="dimmed">
        {t('promo.takesOff', { discount: percent === null ? money(amount ?? 0) : `${percent} %` })}
      </Text>
    </Box>
  );
}

function Conditions({ of: { minTotal, from, to, maxUses, uses } }: { of: PromoCode }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { date } = useDates();
  const now = Date.now();
  const mark =
    to && Date.parse(to) < now
      ? t('promo.expired')
      : maxUses !== null && uses >= maxUses
        ? t('promo.usedUp')
        : from && Date.parse(from) > now
          ? t('promo.notYet')
          : '';
  const conditions = [
    ...(minTotal ? [t('promo.fromTotal', { amount: money(minTotal) })] : []),
    ...(from ? [t('promo.since', { day: date(from) })] : []),
    ...(to ? [t('promo.until', { day: date(to) })] : []),
  ];
  return (
    <Group gap={8}>
      <Text size="sm" {...(!conditions.length && { c: 'dimmed' })}>
        {conditions.join(' · ') || t('promo.always')}
      </Text>
      {mark && (
        <Badge variant="light" color="orange" size="sm">
          {mark}
        </Badge>
      )}
    </Group>
  );
}

function Uses({ of: { uses, maxUses } }: { of: PromoCode }) {
  const { t, language } = useTranslation();
  if (maxUses !== null) return t('promo.usesOf', { uses, max: maxUses });
  return new Intl.NumberFormat(language).format(uses);
}

function State({ of: code }: { of: PromoCode }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const may = useMay();
  const queryClient = useQueryClient();
  if (!may('changeCatalog')) return <Text size="sm">{t(code.isActive ? 'promo.active' : 'promo.disabled')}</Text>;
  return (
    <SavedSwitch
      aria-label={t('promo.switchNamed', { code: code.code })}
      checked={code.isActive}
      save={(isActive) =>
        call('PATCH /stores/{storeId}/promo-codes/{promoCodeId}', {
          params: { storeId, promoCodeId: code.id },
          body: { isActive },
        })
      }
      onSaved={() => queryClient.invalidateQueries({ queryKey: [{ storeId }, LIST] })}
    />
  );
}
