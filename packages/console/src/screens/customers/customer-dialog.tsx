import { Alert, TextInput } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, call, ifMatch } from '../../api/client.ts';
import { customerQuery, updateCachedCustomer } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { TextLink } from '../../shell/link.tsx';
import { notify } from '../../shell/notify.tsx';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { useRecordForm } from '../../shell/use-record-form.ts';
import { useStore } from '../../shell/use-store.ts';
import { validators } from '../../shell/validators.ts';

interface CustomerDialogProps {
  edited: Customer | 'new';
  onClose(): void;
  onSaved?(customer: Customer): void;
}

const fields = ['name', 'phone', 'email', 'externalId'] as const;
type Field = (typeof fields)[number];
const maxLengths: Record<Field, number> = { name: 200, phone: 50, email: 254, externalId: 255 };

const valuesOf = ({ name, phone, email, externalId }: Customer) => ({ name, phone, email, externalId });

export default function CustomerDialog({ edited, onClose, onSaved }: CustomerDialogProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const of = edited === 'new' ? undefined : edited;
  const record = useRecordForm({
    of,
    blank: { name: '', phone: '', email: '', externalId: '' },
    valuesOf,
    validate: (base) => ({
      name: (name, { phone, email }) =>
        [name, phone, email].some((text) => text.trim()) ? null : t('customers.contactRequired'),
      phone: (phone) =>
        phone === base?.phone || !phone.trim() || /\p{Nd}/u.test(phone) ? null : t('customers.phoneDigits'),
      email: (email) => validators(t).customerEmail(email, base?.email),
    }),
    create: (body) => call('POST /stores/{storeId}/customers', { params: { storeId }, body }),
    change: ({ id, updatedAt }, body) =>
      call('PATCH /stores/{storeId}/customers/{customerId}', {
        params: { storeId, customerId: id },
        body,
        ...ifMatch(`"${updatedAt}"`),
      }),
    reload: ({ id }) => queryClient.fetchQuery({ ...customerQuery(storeId, id), staleTime: 0 }),
    onSaved(customer) {
      if (customer) updateCachedCustomer(queryClient, storeId, customer);
      notify(t(of ? 'common.saved' : 'customers.created'));
      onClose();
      if (customer) onSaved?.(customer);
    },
  });
  const { form, submission } = record;
  return (
    <RecordDialog
      record={record}
      title={t(of ? 'orders.editCustomer' : 'customers.newTitle')}
      create={t('customers.add')}
      labelOf={(field) => t(`customers.${field as Field}`)}
      onClose={onClose}
    >
      {fields.map((field, index) => (
        <TextInput
          key={field}
          label={t(`customers.${field}`)}
          maxLength={maxLengths[field]}
          {...(field === 'phone' && { type: 'tel' })}
          {...(field === 'email' && { type: 'email' })}
          {...(index === 0 && { 'data-autofocus': true })}
          {...form.getInputProps(field)}
        />
      ))}
      <Duplicate
        error={submission.error}
        onLeave={() => {
          submission.discard();
          onClose();
        }}
      />
    </RecordDialog>
  );
}

/** The customer who has the phone, e-mail or external id already. */
function Duplicate({ error, onLeave }: { error: unknown; onLeave(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const other = error instanceof ApiError ? error.fieldErrors.find((each) => each.other)?.other : undefined;
  if (!other) return null;
  return (
    <Alert variant="default" role="alert" title={t('customers.duplicateTitle')}>
      {t('customers.duplicateText')}{' '}
      <TextLink
        size="sm"
        underline="always"
        onClick={onLeave}
        to="/stores/$storeId/customers/$customerId"
        params={{ storeId, customerId: other.id }}
      >
        {other.name || t('customers.nameless')}
      </TextLink>
    </Alert>
  );
}
