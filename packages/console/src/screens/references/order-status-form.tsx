import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OrderStatus, StatusGroup } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeOrderStatus, createOrderStatus, keep, orderStatusesQuery } from '../../api/references.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

interface OrderStatusDialogProps {
  storeId: string;
  /** The group that gets a status, or the status that is renamed; nothing while neither is. */
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
  const form = useForm({ initialValues: { name: of?.name ?? '' }, validate: { name: checks(t).filled(200) } });
  const sending = useSubmit(
    form,
    ({ name }: { name: string }) =>
      of ? changeOrderStatus(storeId, of.id, { name }) : createOrderStatus(storeId, { group, name }),
    (status) => {
      keep(queryClient, orderStatusesQuery(storeId), status);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <TextInput
        label={t('references.name')}
        {...(of && { description: t('references.orders.renameHint') })}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </RecordForm>
  );
}
