import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Customer } from '@store-sales/contract';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { customerPageQuery } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Select } from '../../shell/select.tsx';
import { useStore } from '../../shell/use-store.ts';

interface CustomerSearchProps {
  label: string;
  /** The customer that is not offered. */
  except: string;
  onChoose(customer: Customer | undefined): void;
}

const MAX_SHOWN = 20;

/** Chooses a customer; searches while the user types. */
export function CustomerSearch({ label, except, onChoose }: CustomerSearchProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Customer>();
  const nameOf = (customer: Customer) => customer.name || customer.phone || customer.email || t('customers.nameless');
  const isChosen = chosen !== undefined && text === nameOf(chosen);
  const wanted = isChosen ? '' : text.trim();
  const [q] = useDebouncedValue(wanted, 200);
  const { data, isPlaceholderData } = useQuery(customerPageQuery(storeId, q ? { q } : {}));
  const found = (data?.data ?? []).filter(({ id, erasedAt }) => id !== except && !erasedAt).slice(0, MAX_SHOWN);
  const offered = chosen && !found.some(({ id }) => id === chosen.id) ? [...found, chosen] : found;
  const byId = new Map(offered.map((customer) => [customer.id, customer]));
  return (
    <Select
      label={label}
      placeholder={t('customers.searchHint')}
      leftSection={<IconSearch size={17} />}
      searchable
      data-autofocus
      data={offered.map((customer) => ({ value: customer.id, label: nameOf(customer) }))}
      nothingFound={t('customers.noneFound')}
      value={chosen?.id ?? null}
      searchValue={text}
      onSearchChange={setText}
      isOutdated={wanted !== q || isPlaceholderData}
      onChange={(id) => {
        const customer = id === null ? undefined : byId.get(id);
        setChosen(customer);
        onChoose(customer);
      }}
      renderOption={(option) => {
        const customer = byId.get(option.value);
        return (
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {[customer?.phone, customer?.email].filter(Boolean).join(' · ')}
            </Text>
          </div>
        );
      }}
    />
  );
}
