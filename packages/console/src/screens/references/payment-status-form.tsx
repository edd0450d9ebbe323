import { ColorInput, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { PaymentStatus } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changePaymentStatus, createPaymentStatus, keep, paymentStatusesQuery } from '../../api/references.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

const swatches = [
  ...['#9CA3AF', '#16A34A', '#0EA5E9', '#4F46E5', '#9333EA', '#DB2777'],
  ...['#DC2626', '#EA580C', '#D97706', '#65A30D', '#0D9488', '#475569'],
];

interface PaymentStatusDialogProps {
  storeId: string;
  edited: PaymentStatus | 'new' | undefined;
  onClose(): void;
}

export function PaymentStatusDialog({ storeId, edited, onClose }: PaymentStatusDialogProps) {
  const { t } = useTranslation();
  const title = t(edited === 'new' ? 'references.payments.createTitle' : 'references.payments.editTitle');
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && <PaymentStatusForm storeId={storeId} {...(edited !== 'new' && { of: edited })} onClose={onClose} />}
    </RecordDialog>
  );
}

interface Values {
  name: string;
  color: string;
  isPaid: boolean;
}

function PaymentStatusForm({ storeId, of, onClose }: { storeId: string; of?: PaymentStatus; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', color: of?.color ?? '#0EA5E9', isPaid: of?.isPaid ?? false },
    validate: {
      name: checks(t).filled(200),
      color: (color) => (/^#[0-9a-f]{6}$/i.test(color) ? null : t('references.payments.colorWrong')),
    },
  });
  const sending = useSubmit(
    form,
    (values: Values) => (of ? changePaymentStatus(storeId, of.id, values) : createPaymentStatus(storeId, values)),
    (status) => {
      keep(queryClient, paymentStatusesQuery(storeId), status);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      <ColorInput
        label={t('references.payments.color')}
        format="hex"
        swatches={swatches}
        swatchesPerRow={6}
        withPicker={false}
        withEyeDropper={false}
        fixOnBlur={false}
        {...form.getInputProps('color')}
      />
      <Switch
        label={t('references.payments.isPaid')}
        description={t('references.payments.isPaidHint')}
        {...form.getInputProps('isPaid', { type: 'checkbox' })}
      />
    </RecordForm>
  );
}
