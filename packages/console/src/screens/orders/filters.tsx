import { Button, Collapse, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { OrderChoices, OrderView } from '@store-sales/contract/console';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchBox } from '../../shell/search-box.tsx';
import { statusName } from '../../shell/system-names.ts';

interface FiltersProps {
  view: OrderView;
  choices: OrderChoices | undefined;
  onChange(change: { [Name in keyof OrderView]?: OrderView[Name] | undefined }): void;
  onClear(): void;
}

/** Behind a button on a phone, where only the search stays in view. */
export function Filters(props: FiltersProps) {
  const { t } = useTranslation();
  const { view, onChange, onClear } = props;
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure(false);
  const { q: _q, ...chosen } = view;
  const count = Object.keys(chosen).length;
  const clear = Object.keys(view).length > 0 && (
    <Button variant="subtle" size="compact-sm" onClick={onClear}>
      {t('orders.clear')}
    </Button>
  );
  return (
    <Stack gap="sm" role="search" aria-label={t('orders.filters')}>
      <Group gap="sm" wrap="nowrap">
        <SearchBox q={view.q ?? ''} hint={t('orders.searchHint')} onChange={(q) => onChange({ q: q || undefined })} />
        {isPhone ? (
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={18} />}
            onClick={toggle}
            aria-expanded={isOpen}
          >
            {count ? `${t('orders.filters')} (${count})` : t('orders.filters')}
          </Button>
        ) : (
          clear
        )}
      </Group>
      {isPhone ? (
        <Collapse expanded={isOpen}>
          <Choices {...props} />
          {clear}
        </Collapse>
      ) : (
        <Choices {...props} />
      )}
    </Stack>
  );
}

function Choices({ view, choices, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const any = (label: string) => ({ value: '', label });
  const statuses = choices?.statuses.filter(({ isActive, id, code }) => isActive || view.status === (code ?? id)) ?? [];
  const groups = [...new Set(statuses.map(({ group }) => group))];
  const payments =
    choices?.paymentStatuses.filter(({ isActive, id, code }) => isActive || view.payment === (code ?? id)) ?? [];
  const option = (status: { id: string; code: string | null; name: string }) => ({
    value: status.code ?? status.id,
    label: statusName(status, t),
  });
  const shared = { allowDeselect: false, checkIconPosition: 'right', comboboxProps: { width: 220 } } as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" mb={{ base: 'sm', sm: 0 }}>
      <Select
        {...shared}
        aria-label={t('orders.status')}
        data={[
          any(t('orders.anyStatus')),
          ...groups.map((group) => ({
            group: t(`orders.groups.${group}`),
            items: statuses.filter((status) => status.group === group).map(option),
          })),
        ]}
        value={view.status ?? ''}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <Select
        {...shared}
        aria-label={t('orders.payment')}
        data={[any(t('orders.anyPayment')), ...payments.map(option)]}
        value={view.payment ?? ''}
        onChange={(payment) => onChange({ payment: payment || undefined })}
      />
      <Select
        {...shared}
        aria-label={t('orders.source')}
        data={[
          any(t('orders.anySource')),
          ...(['site', 'api', 'manual'] as const).map((value) => ({ value, label: t(`orders.sources.${value}`) })),
        ]}
        value={view.source ?? ''}
        onChange={(source) => onChange({ source: (source || undefined) as OrderView['source'] })}
      />
      <Day label={t('orders.from')} day={view.from} onChange={(from) => onChange({ from })} />
      <Day label={t('orders.to')} day={view.to} onChange={(to) => onChange({ to })} />
    </SimpleGrid>
  );
}

interface DayProps {
  label: string;
  day: string | undefined;
  onChange(day: string | undefined): void;
}

/** The browser's own field: it speaks the language of the user, keyboard and phone included. */
function Day({ label, day, onChange }: DayProps) {
  const [text, setText] = useState(day ?? '');
  useEffect(() => setText(day ?? ''), [day]);
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={
        <span aria-hidden style={{ fontSize: 13 }}>
          {label}
        </span>
      }
      leftSectionWidth={48}
      max="9999-12-31"
      value={text}
      onChange={(event) => {
        const value = event.currentTarget.value;
        setText(value);
        // A year that is still being typed is no day yet.
        if (value === '' || value >= '1970') onChange(value || undefined);
      }}
    />
  );
}
