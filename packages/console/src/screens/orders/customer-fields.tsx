import { SimpleGrid, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Customer } from '@store-sales/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { customerPageQuery, customerQuery } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Select } from '../../shell/select.tsx';
import { useStore } from '../../shell/use-store.ts';
import { blank, contactFields, type DraftForm } from './new-order-draft.ts';

/** Shorter texts match too many. */
const MIN_LENGTH = 2;
const MAX_SHOWN = 7;

const contactOf = ({ name, phone, email }: Customer) => ({ name, phone, email });

/** The contact of a new order; offers existing customers while the user types. */
export function CustomerFields({ form, customerId }: { form: DraftForm; customerId: string | undefined }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  usePrefill(form, storeId, customerId);
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const isSearched = q.length >= MIN_LENGTH;
  const { data } = useQuery({ ...customerPageQuery(storeId, { q }), enabled: isSearched });
  const byId = new Map((isSearched ? (data?.data ?? []) : []).slice(0, MAX_SHOWN).map((each) => [each.id, each]));
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {contactFields.map((field) => (
        <Select
          key={field}
          label={t(`orders.${field}`)}
          searchable
          isFreeText
          data={[...byId.keys()]}
          renderOption={({ value }) => <Found customer={byId.get(value)} />}
          error={form.getInputProps(`customer.${field}`).error}
          searchValue={form.values.customer[field]}
          onFocus={() => setTyped('')}
          onSearchChange={(text) => {
            form.setFieldValue(`customer.${field}`, text);
            setTyped(text);
          }}
          onChange={(id) => {
            const customer = byId.get(id ?? '');
            if (customer) form.setFieldValue('customer', contactOf(customer));
            setTyped('');
          }}
        />
      ))}
    </SimpleGrid>
  );
}

function Found({ customer }: { customer: Customer | undefined }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm">{customer?.name || t('customers.nameless')}</Text>
      <Text size="xs" c="dimmed">
        {[customer?.phone, customer?.email].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}

/** Fills in the customer of the URL once, unless something has been typed or restored. */
function usePrefill(form: DraftForm, storeId: string, customerId: string | undefined) {
  const isDone = useRef(false);
  const { data } = useQuery({ ...customerQuery(storeId, customerId ?? ''), enabled: customerId !== undefined });
  useEffect(() => {
    if (!data || isDone.current) return;
    isDone.current = true;
    if (JSON.stringify(form.getValues()) !== JSON.stringify(blank)) return;
    const values = { ...blank, customer: contactOf(data) };
    form.setInitialValues(values);
    form.setValues(values);
  }, [data, form]);
}
