import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { VersionedWarehouse } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import {
  changeWarehouse,
  createWarehouse,
  reloadRecord,
  updateCachedList,
  warehousesQuery,
} from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { useConflict } from '../../shell/use-conflict.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordForm } from './record-dialog.tsx';
import { codeOrNone, validateCode } from './validate-code.ts';

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: VersionedWarehouse | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  code: string;
  city: string;
  address: string;
}

const valuesOf = ({ name, city, address }: Omit<Values, 'code'>): Values => ({ name, code: '', city, address });

export function WarehouseForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { others, save, withoutConflict } = useConflict<VersionedWarehouse, Values>({
    of,
    valuesOf,
    reload: (warehouse) => reloadRecord(queryClient, warehousesQuery(storeId), warehouse),
  });
  const form = useForm<Values>({
    initialValues: valuesOf(of ?? { name: '', city: '', address: '' }),
    validate: { name: validators(t).required(200), code: validateCode(t) },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      save(form, values, (base) =>
        base
          ? sendChanges(valuesOf(base), values, base, (changed) =>
              changeWarehouse(storeId, base.id, changed, base.etag),
            )
          : createWarehouse(storeId, codeOrNone(values)),
      ),
    (warehouse) => {
      updateCachedList(queryClient, warehousesQuery(storeId), warehouse);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm
      submission={withoutConflict(submission)}
      action={t(of ? 'common.save' : 'references.create')}
      onCancel={onClose}
    >
      <ConflictAlert
        changes={others}
        labelOf={(field) => t(field === 'name' ? 'references.name' : `references.stock.${field as 'city' | 'address'}`)}
      />
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
