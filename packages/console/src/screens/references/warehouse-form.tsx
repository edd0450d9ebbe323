import { TextInput } from '@mantine/core';
import type { VersionedWarehouse } from '@store-sales/contract/console';
import { call, ifMatch } from '../../api/client.ts';
import { warehousesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { validators } from '../../shell/validators.ts';
import { useReferenceForm } from './use-reference-form.ts';
import { codeOrNone, validateCode } from './validate-code.ts';

interface FormProps {
  storeId: string;
  of?: VersionedWarehouse;
  onClose(): void;
}

export function WarehouseForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const record = useReferenceForm({
    of,
    list: warehousesQuery(storeId),
    blank: { name: '', code: '', city: '', address: '' },
    valuesOf: ({ name, city, address }: VersionedWarehouse) => ({ name, code: '', city, address }),
    validate: { name: validators(t).required(200), code: validateCode(t) },
    create: (values) => call('POST /stores/{storeId}/warehouses', { params: { storeId }, body: codeOrNone(values) }),
    change: ({ id, etag }, body) =>
      call('PATCH /stores/{storeId}/warehouses/{warehouseId}', {
        params: { storeId, warehouseId: id },
        body,
        ...ifMatch(etag),
      }),
    onClose,
  });
  const { getInputProps } = record.form;
  return (
    <RecordDialog
      record={record}
      title={t(of ? 'references.stock.editTitle' : 'references.stock.createTitle')}
      create={t('catalog.create')}
      labelOf={(field) => t(field === 'name' ? 'references.name' : `references.stock.${field as 'city' | 'address'}`)}
      onClose={onClose}
    >
      <TextInput label={t('references.name')} data-autofocus {...getInputProps('name')} />
      {!of && (
        <TextInput label={t('references.code')} description={t('references.codeHint')} {...getInputProps('code')} />
      )}
      <TextInput label={t('references.stock.city')} maxLength={200} {...getInputProps('city')} />
      <TextInput label={t('references.stock.address')} maxLength={2000} {...getInputProps('address')} />
    </RecordDialog>
  );
}
