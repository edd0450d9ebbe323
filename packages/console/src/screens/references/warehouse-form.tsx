import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Warehouse } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeWarehouse, createWarehouse, keep, warehousesQuery } from '../../api/references.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { codeCheck } from './code.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

interface WarehouseDialogProps {
  storeId: string;
  edited: Warehouse | 'new' | undefined;
  onClose(): void;
}

export function WarehouseDialog({ storeId, edited, onClose }: WarehouseDialogProps) {
  const { t } = useTranslation();
  const title = t(edited === 'new' ? 'references.stock.createTitle' : 'references.stock.editTitle');
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && <WarehouseForm storeId={storeId} {...(edited !== 'new' && { of: edited })} onClose={onClose} />}
    </RecordDialog>
  );
}

interface Values {
  name: string;
  code: string;
  city: string;
  address: string;
}

function WarehouseForm({ storeId, of, onClose }: { storeId: string; of?: Warehouse; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', code: '', city: of?.city ?? '', address: of?.address ?? '' },
    validate: { name: checks(t).filled(200), code: codeCheck(t) },
  });
  const sending = useSubmit(
    form,
    ({ code, ...values }: Values) =>
      of ? changeWarehouse(storeId, of.id, values) : createWarehouse(storeId, { ...values, ...(code && { code }) }),
    (warehouse) => {
      keep(queryClient, warehousesQuery(storeId), warehouse);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      {!of && (
        <TextInput
          label={t('references.code')}
          description={t('references.codeHint')}
          {...form.getInputProps('code')}
        />
      )}
      <TextInput label={t('references.stock.city')} maxLength={200} {...form.getInputProps('city')} />
      <TextInput label={t('references.stock.address')} maxLength={2000} {...form.getInputProps('address')} />
    </RecordForm>
  );
}
