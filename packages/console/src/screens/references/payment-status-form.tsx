import { ColorSwatch, Group, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { PaymentStatus } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import {
  changePaymentStatus,
  createPaymentStatus,
  paymentStatusesQuery,
  updateCachedList,
} from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordForm } from './record-dialog.tsx';

const swatches = [
  ...['#9CA3AF', '#16A34A', '#0EA5E9', '#4F46E5', '#9333EA', '#DB2777'],
  ...['#DC2626', '#EA580C', '#D97706', '#65A30D', '#0D9488', '#475569'],
];

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: PaymentStatus | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  color: string;
  isPaid: boolean;
}

export function PaymentStatusForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', color: of?.color ?? '#0EA5E9', isPaid: of?.isPaid ?? false },
    validate: {
      name: validators(t).required(200),
      color: (color) => (/^#[0-9a-f]{6}$/i.test(color) ? null : t('references.payments.colorWrong')),
    },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      of
        ? sendChanges(form.getInitialValues(), values, of, (changed) => changePaymentStatus(storeId, of.id, changed))
        : createPaymentStatus(storeId, values),
    (status) => {
      updateCachedList(queryClient, paymentStatusesQuery(storeId), status);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  );
  return (
    <RecordForm submission={submission} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      <div>
        <TextInput
          label={t('references.payments.color')}
          leftSection={<ColorSwatch size={18} color={form.values.color} />}
          {...form.getInputProps('color')}
        />
        <Group gap="xs" mt="xs">
          {swatches.map((color) => (
            <UnstyledButton key={color} aria-label={color} onClick={() => form.setFieldValue('color', color)}>
              <ColorSwatch size={24} color={color} />
            </UnstyledButton>
          ))}
        </Group>
      </div>
      <Switch
        label={t('references.payments.isPaid')}
        description={t('references.payments.isPaidHint')}
        {...form.getInputProps('isPaid', { type: 'checkbox' })}
      />
    </RecordForm>
  );
}
