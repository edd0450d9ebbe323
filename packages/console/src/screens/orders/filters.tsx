import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { OrderChoices, OrderView } from '@store-sales/contract/console';
import { orderPeriods, orderSources } from '@store-sales/contract/values';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { DayInput } from '../../shell/day-input.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { Select } from '../../shell/select.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { filtersOf, type TableView, toQuery, type ViewChange } from './view.ts';

interface FiltersProps {
  view: TableView;
  choices: OrderChoices | undefined;
  /** Beside the search box. */
  children?: ReactNode;
  onChange(change: ViewChange): void;
  onClear(): void;
}

/** Collapsed on a phone, except for the search box. */
export function Filters(props: FiltersProps) {
  const { t } = useTranslation();
  const { view, children, onChange, onClear } = props;
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure(false);
  // The status has its tabs.
  const { q: _q, status: _status, ...chosen } = filtersOf(view);
  const count = Object.keys(chosen).length;
  const clear = Object.keys(filtersOf(view)).length > 0 && (
    <Button variant="subtle" size="compact-sm" onClick={onClear}>
      {t('common.clearFilters')}
    </Button>
  );
  return (
    <Stack gap="sm" role="search" aria-label={t('common.filters')}>
      <Group gap="sm" wrap={isPhone ? 'wrap' : 'nowrap'}>
        <SearchBox q={view.q ?? ''} hint={t('orders.searchHint')} onChange={(q) => onChange({ q: q || undefined })} />
        {isPhone ? (
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={18} />}
            onClick={toggle}
            aria-expanded={isOpen}
          >
            {count ? `${t('common.filters')} (${count})` : t('common.filters')}
          </Button>
        ) : (
          clear
        )}
        {/* In the same place on every screen, so that turning a tablet does not close an open dialog. */}
        {children && (
          <Group gap="xs" ml="auto" wrap="nowrap" w={isPhone ? '100%' : 'auto'}>
            {children}
          </Group>
        )}
      </Group>
      {(!isPhone || isOpen) && <Choices {...props} />}
      {view.metadata && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            rightSection={<IconX size={14} />}
            aria-label={t('orders.removeMetadata', { value: view.metadata })}
            onClick={() => onChange({ metadata: undefined })}
          >
            {view.metadata}
          </Button>
        </Group>
      )}
      {isPhone && isOpen && clear}
    </Stack>
  );
}

function Choices({ view, choices, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const any = (label: string) => ({ value: '', label });
  const { timezone } = useStore();
  const { from, to } = toQuery(view, timezone);
  const period = orderPeriods.find((name) => name === view.period) ?? (from || to ? 'custom' : 'any');
  const periods = ['any', ...orderPeriods, ...(period === 'custom' ? (['custom'] as const) : [])] as const;
  const payments =
    choices?.paymentStatuses.filter(({ isActive, id, code }) => isActive || view.payment === (code ?? id)) ?? [];
  const option = (status: { id: string; code: string | null; name: string }) => ({
    value: status.code ?? status.id,
    label: statusName(status, t),
  });
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm" mb={{ base: 'sm', sm: 0 }}>
      <Select
        aria-label={t('orders.payment')}
        data={[any(t('orders.anyPayment')), ...payments.map(option)]}
        value={view.payment ?? ''}
        onChange={(payment) => onChange({ payment: payment || undefined })}
      />
      <Select
        aria-label={t('orders.due')}
        data={[any(t('orders.anyDue')), { value: 'yes', label: t('orders.somethingDue') }]}
        value={view.due ?? ''}
        onChange={(due) => onChange({ due: due === 'yes' ? 'yes' : undefined })}
      />
      <Select
        aria-label={t('orders.source')}
        data={[
          any(t('orders.anySource')),
          ...orderSources.map((value) => ({ value, label: t(`orders.sources.${value}`) })),
        ]}
        value={view.source ?? ''}
        onChange={(source) => onChange({ source: (source || undefined) as OrderView['source'] })}
      />
      <Select
        aria-label={t('orders.period')}
        data={periods.map((value) => ({ value, label: t(`orders.periods.${value}`) }))}
        value={period}
        onChange={(value) =>
          onChange({ period: orderPeriods.find((name) => name === value), from: undefined, to: undefined })
        }
      />
      <DayInput
        label={t('orders.from')}
        day={from}
        onChange={(day) => onChange({ period: undefined, from: day, to })}
      />
      <DayInput label={t('orders.to')} day={to} onChange={(day) => onChange({ period: undefined, from, to: day })} />
    </SimpleGrid>
  );
}
