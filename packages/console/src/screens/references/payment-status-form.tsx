import { ColorSwatch, Group, Switch, TextInput, UnstyledButton } from '@mantine/core';
import type { VersionedPaymentStatus } from '@store-sales/contract/console';
import { call, ifMatch } from '../../api/client.ts';
import { paymentStatusesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { validators } from '../../shell/validators.ts';
import { useReferenceForm } from './use-reference-form.ts';

const swatches = [
  ...['#9CA3AF', '#16A34A', '#0EA5E9', '#4F46E5', '#9333EA', '#DB2777'],
  ...['#DC2626', '#EA580C', '#D97706', '#65A30D', '#0D9488', '#475569'],
];

interface FormProps {
  storeId: string;
  of?: VersionedPaymentStatus;
  onClose(): void;
}

export function PaymentStatusForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const record = useReferenceForm({
    of,
    list: paymentStatusesQuery(storeId),
    blank: { name: '', color: '#0EA5E9', isPaid: false },
    valuesOf: ({ name, color, isPaid }: VersionedPaymentStatus) => ({ name, color, isPaid }),
    validate: {
      name: validators(t).required(200),
      color: (color) => (/^#[0-9a-f]{6}$/i.test(color) ? null : t('references.payments.colorWrong')),
    },
    create: (body) => call('POST /stores/{storeId}/payment-statuses', { params: { storeId }, body }),
    change: ({ id, etag }, body) =>
      call('PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}', {
        params: { storeId, paymentStatusId: id },
        body,
        ...ifMatch(etag),
      }),
    onClose,
  });
  const { form } = record;
  return (
    <RecordDialog
      record={record}
      title={t(of ? 'references.payments.editTitle' : 'references.payments.createTitle')}
      create={t('catalog.create')}
      labelOf={(field) =>
        t(field === 'name' ? 'references.name' : `references.payments.${field as 'color' | 'isPaid'}`)
      }
      textOf={(field, value) => (field === 'isPaid' ? t(value === 'true' ? 'common.yes' : 'common.no') : value)}
      onClose={onClose}
    >
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
    </RecordDialog>
  );
}
