import { ColorSwatch, Group, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { VersionedPaymentStatus } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import {
  changePaymentStatus,
  createPaymentStatus,
  paymentStatusesQuery,
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
import { RecordForm } from './record-dialog.tsx';

const swatches = [
  ...['#9CA3AF', '#16A34A', '#0EA5E9', '#4F46E5', '#9333EA', '#DB2777'],
  ...['#DC2626', '#EA580C', '#D97706', '#65A30D', '#0D9488', '#475569'],
];

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: VersionedPaymentStatus | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  color: string;
  isPaid: boolean;
}

const valuesOf = ({ name, color, isPaid }: Values): Values => ({ name, color, isPaid });

export function PaymentStatusForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { others, save, withoutConflict } = useConflict<VersionedPaymentStatus, Values>({
    of,
    valuesOf,
    reload: (status) => reloadRecord(queryClient, paymentStatusesQuery(storeId), status),
  });
  const form = useForm<Values>({
    initialValues: valuesOf(of ?? { name: '', color: '#0EA5E9', isPaid: false }),
    validate: {
      name: validators(t).required(200),
      color: (color) => (/^#[0-9a-f]{6}$/i.test(color) ? null : t('references.payments.colorWrong')),
    },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      save(form, values, (base) =>
        base
          ? sendChanges(valuesOf(base), values, base, (changed) =>
              changePaymentStatus(storeId, base.id, changed, base.etag),
            )
          : createPaymentStatus(storeId, values),
      ),
    (status) => {
      updateCachedList(queryClient, paymentStatusesQuery(storeId), status);
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
        labelOf={(field) =>
          t(field === 'name' ? 'references.name' : `references.payments.${field as 'color' | 'isPaid'}`)
        }
        textOf={(field, value) => (field === 'isPaid' ? t(value === 'true' ? 'common.yes' : 'common.no') : value)}
      />
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
