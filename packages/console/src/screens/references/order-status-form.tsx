import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { StatusGroup } from '@store-sales/contract';
import type { VersionedOrderStatus } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import {
  changeOrderStatus,
  createOrderStatus,
  orderStatusesQuery,
  reloadRecord,
  updateCachedList,
} from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { useConflict } from '../../shell/use-conflict.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

interface OrderStatusDialogProps {
  storeId: string;
  /** The group of a new status, or the status to rename. */
  edited: { group: StatusGroup; of?: VersionedOrderStatus } | undefined;
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
  of?: VersionedOrderStatus;
  onClose(): void;
}

const valuesOf = ({ name }: { name: string }) => ({ name });

function OrderStatusForm({ storeId, group, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { others, save, withoutConflict } = useConflict<VersionedOrderStatus, { name: string }>({
    of,
    valuesOf,
    reload: (status) => reloadRecord(queryClient, orderStatusesQuery(storeId), status),
  });
  const form = useForm({ initialValues: { name: of?.name ?? '' }, validate: { name: validators(t).required(200) } });
  const submission = useSubmit(
    form,
    (values: { name: string }) =>
      save(form, values, (base) =>
        base
          ? sendChanges(valuesOf(base), values, base, (changed) =>
              changeOrderStatus(storeId, base.id, changed, base.etag),
            )
          : createOrderStatus(storeId, { group, ...values }),
      ),
    (status) => {
      updateCachedList(queryClient, orderStatusesQuery(storeId), status);
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
      <ConflictAlert changes={others} labelOf={() => t('references.name')} />
      <TextInput
        label={t('references.name')}
        {...(of && { description: t('references.orders.renameHint') })}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </RecordForm>
  );
}
