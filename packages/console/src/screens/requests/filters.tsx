import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { RequestCounts, RequestFilter } from '@store-sales/contract/console';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { DayInput } from '../../shell/day-input.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { Select } from '../../shell/select.tsx';
import { useStore } from '../../shell/use-store.ts';

export type FilterChange = { [Name in keyof RequestFilter]?: string | undefined };

const classes = ['2xx', '4xx', '5xx'] as const;

interface FiltersProps {
  storeId: string;
  filter: RequestFilter;
  counts: RequestCounts | undefined;
  onChange(change: FilterChange): void;
  onClear(): void;
}

/** Collapsed on a phone, except for the search box. */
export function Filters(props: FiltersProps) {
  const { t } = useTranslation();
  const { filter, onChange, onClear } = props;
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure(false);
  // The method is chosen together with the path.
  const { requestId: _, method: _method, ...chosen } = filter;
  const count = Object.keys(chosen).length;
  const clear = Object.keys(filter).length > 0 && (
    <Button variant="subtle" size="compact-sm" onClick={onClear}>
      {t('common.clearFilters')}
    </Button>
  );
  return (
    <Stack gap="sm" role="search" aria-label={t('common.filters')}>
      <Group gap="sm" wrap={isPhone ? 'wrap' : 'nowrap'}>
        <SearchBox
          q={filter.requestId ?? ''}
          hint={t('requests.searchHint')}
          maxLength={128}
          onChange={(requestId) => onChange({ requestId: requestId || undefined })}
        />
        {isPhone && (
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={18} />}
            onClick={toggle}
            aria-expanded={isOpen}
          >
            {count ? `${t('common.filters')} (${count})` : t('common.filters')}
          </Button>
        )}
        {clear}
      </Group>
      {(!isPhone || isOpen) && <Choices {...props} />}
    </Stack>
  );
}

function Choices({ storeId, filter, counts, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const { plan } = useStore();
  const { data: keys = [] } = useQuery({ ...keysQuery(storeId), enabled: plan === 'optimal' });
  const any = (label: string) => ({ value: '', label });
  const plain = (value: string) => ({ value, label: value });
  const statuses = new Set(counts?.statuses.map(({ status }) => String(status)));
  if (filter.status && /^\d+$/.test(filter.status)) statuses.add(filter.status);
  const chosenRoute = [filter.method, filter.route].filter(Boolean).join(' ');
  const routes = [...new Set([...(counts?.routes ?? []), ...(chosenRoute ? [chosenRoute] : [])])];
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
      <Select
        aria-label={t('requests.status')}
        data={[
          any(t('requests.anyStatus')),
          ...classes.map((value) => ({ value, label: t(`requests.classes.${value}`) })),
          ...[...statuses].sort().map(plain),
        ]}
        value={filter.status ?? ''}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <Select
        aria-label={t('requests.key')}
        data={[any(t('requests.anyKey')), ...keys.map(({ id, name }) => ({ value: id, label: name }))]}
        value={filter.key ?? ''}
        onChange={(key) => onChange({ key: key || undefined })}
      />
      <Select
        aria-label={t('requests.request')}
        data={[any(t('requests.anyRequest')), ...routes.map(plain)]}
        value={chosenRoute}
        onChange={(chosen) => {
          const [method, route] = chosen ? chosen.split(' ') : [];
          onChange({ method, route });
        }}
      />
      <DayInput label={t('orders.from')} day={filter.from} onChange={(from) => onChange({ from })} />
      <DayInput label={t('orders.to')} day={filter.to} onChange={(to) => onChange({ to })} />
    </SimpleGrid>
  );
}
