import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OrderStatus, StatusGroup } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { changeOrderStatus, createOrderStatus, orderStatusesQuery, updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

interface OrderStatusDialogProps {
  storeId: string;
  /** The group of a new status, or the status to rename. */
  edited: { group: StatusGroup; of?: OrderStatus } | undefined;
  onClose(): void;
}

export function OrderStatusDialog({ storeId, edited, onClose }: OrderStatusDialogProps) {
  const { t } = useTranslation();
  const group = edited ? t(`orders.groups.${edited.group}`) : '';
  const title = edited?.of ? t('references.orders.renameTitle') : t('references.orders.createTitle', { group });
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && <OrderStatusForm storeId={storeId} {...edited} onClose={onClose} />}
    </RecordDialog>
  );
}

interface FormProps {
  storeId: string;
  group: StatusGroup;
  of?: OrderStatus;
  onClose(): void;
}

function OrderStatusForm({ storeId, group, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: of?.name ?? '' }, validate: { name: validators(t).required(200) } });
  const submission = useSubmit(
    form,
    ({ name }: { name: string }) =>
      of ? changeOrderStatus(storeId, of.id, { name }) : createOrderStatus(storeId, { group, name }),
    (status) => {
      updateCachedList(queryClient, orderStatusesQuery(storeId), status);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm submission={submission} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <TextInput
        label={t('references.name')}
        {...(of && { description: t('references.orders.renameHint') })}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </RecordForm>
  );
}
