import { TextInput } from '@mantine/core';
import type { VersionedOrderStatus } from '@store-sales/contract/console';
import type { StatusGroup } from '@store-sales/contract/values';
import { call, ifMatch } from '../../api/client.ts';
import { orderStatusesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { validators } from '../../shell/validators.ts';
import { useReferenceForm } from './use-reference-form.ts';

interface FormProps {
  storeId: string;
  /** Of a new status. */
  group: StatusGroup;
  /** The status to rename. */
  of?: VersionedOrderStatus;
  onClose(): void;
}

export function OrderStatusForm({ storeId, group, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const record = useReferenceForm({
    of,
    list: orderStatusesQuery(storeId),
    blank: { name: '' },
    valuesOf: ({ name }: VersionedOrderStatus) => ({ name }),
    validate: { name: validators(t).required(200) },
    create: (values) =>
      call('POST /stores/{storeId}/order-statuses', { params: { storeId }, body: { group, ...values } }),
    change: ({ id, etag }, body) =>
      call('PATCH /stores/{storeId}/order-statuses/{statusId}', {
        params: { storeId, statusId: id },
        body,
        ...ifMatch(etag),
      }),
    onClose,
  });
  const createTitle = t('references.orders.createTitle', { group: t(`orders.groups.${group}`) });
  return (
    <RecordDialog
      record={record}
      title={of ? t('references.orders.renameTitle') : createTitle}
      create={t('catalog.create')}
      labelOf={() => t('references.name')}
      onClose={onClose}
    >
      <TextInput
        label={t('references.name')}
        {...(of && { description: t('references.orders.renameHint') })}
        data-autofocus
        {...record.form.getInputProps('name')}
      />
    </RecordDialog>
  );
}
