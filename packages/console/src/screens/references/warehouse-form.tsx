import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Warehouse } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { changeWarehouse, createWarehouse, updateCachedList, warehousesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordForm } from './record-dialog.tsx';
import { validateCode } from './validate-code.ts';

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: Warehouse | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  code: string;
  city: string;
  address: string;
}

export function WarehouseForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', code: '', city: of?.city ?? '', address: of?.address ?? '' },
    validate: { name: validators(t).required(200), code: validateCode(t) },
  });
  const submission = useSubmit(
    form,
    ({ code, ...values }: Values) =>
      of
        ? sendChanges(form.getInitialValues(), { ...values, code }, of, (changed) =>
            changeWarehouse(storeId, of.id, changed),
          )
        : createWarehouse(storeId, { ...values, ...(code && { code }) }),
    (warehouse) => {
      updateCachedList(queryClient, warehousesQuery(storeId), warehouse);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm submission={submission} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
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
