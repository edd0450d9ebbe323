import { Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';
import { useStore } from '../../shell/use-store.ts';
import { CustomerSearch } from './customer-search.tsx';

interface MergeDialogProps {
  kept: Customer;
  onClose(): void;
}

export default function MergeDialog({ kept, onClose }: MergeDialogProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [other, setOther] = useState<Customer>();
  const nameOf = (customer: Customer) => customer.name || customer.phone || customer.email || t('customers.nameless');
  return (
    <Confirm
      title={t('customers.mergeTitle')}
      text={t('customers.mergeText', { kept: nameOf(kept) })}
      action={t('customers.mergeDuplicate')}
      isDisabled={!other}
      run={() =>
        call('POST /stores/{storeId}/customers/{customerId}/merge', {
          params: { storeId, customerId: kept.id },
          body: { otherId: other?.id ?? '' },
        })
      }
      onDone={async () => {
        // Orders show their customer too.
        await queryClient.invalidateQueries({ queryKey: [{ storeId }] });
        notify(t('customers.merged'));
      }}
      onClose={onClose}
    >
      <CustomerSearch label={t('customers.mergeOther')} except={kept.id} onChoose={setOther} />
      {other && (
        <Text size="sm" fw={500} aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
          {t('customers.mergeConfirm', { other: nameOf(other), kept: nameOf(kept) })}
        </Text>
      )}
    </Confirm>
  );
}
