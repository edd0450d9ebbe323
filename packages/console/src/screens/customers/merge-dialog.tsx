import { Button, Group, Stack, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mergeCustomer } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useStore } from '../../shell/use-store.ts';
import { CustomerSearch } from './customer-search.tsx';

interface MergeDialogProps {
  kept: Customer;
  onClose(): void;
}

export default function MergeDialog({ kept, onClose }: MergeDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t('customers.mergeTitle')}>
      <MergeForm kept={kept} onClose={onClose} />
    </Dialog>
  );
}

function MergeForm({ kept, onClose }: MergeDialogProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [other, setOther] = useState<Customer>();
  const nameOf = (customer: Customer) => customer.name || customer.phone || customer.email || t('customers.nameless');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (otherId: string) => mergeCustomer(storeId, kept.id, otherId),
    async onSuccess() {
      // Orders show their customer too.
      await queryClient.invalidateQueries({ queryKey: ['stores', storeId] });
      notify(t('customers.merged'));
      onClose();
    },
  });
  return (
    <Stack>
      <Text size="sm">{t('customers.mergeText', { kept: nameOf(kept) })}</Text>
      <CustomerSearch label={t('customers.mergeOther')} except={kept.id} onChoose={setOther} />
      {other && (
        <Text size="sm" fw={500} aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
          {t('customers.mergeConfirm', { other: nameOf(other), kept: nameOf(kept) })}
        </Text>
      )}
      <ProblemAlert>{error ? explain(error, t) : undefined}</ProblemAlert>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button color="red.8" disabled={!other} loading={isPending} onClick={() => other && mutate(other.id)}>
          {t('customers.merge')}
        </Button>
      </Group>
    </Stack>
  );
}
