import { Alert, Anchor, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Customer } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { changeCustomer, createCustomer, customerQuery, updateCachedCustomer } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { useDiscard } from '../../shell/unsaved.tsx';
import { useConflict } from '../../shell/use-conflict.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordDialog, RecordForm } from '../references/record-dialog.tsx';

interface CustomerDialogProps {
  edited: Customer | 'new';
  onClose(): void;
  onSaved?(customer: Customer): void;
}

export default function CustomerDialog({ edited, onClose, onSaved }: CustomerDialogProps) {
  const { t } = useTranslation();
  return (
    <RecordDialog title={t(edited === 'new' ? 'customers.newTitle' : 'customers.editTitle')} isOpen onClose={onClose}>
      <CustomerForm of={edited === 'new' ? undefined : edited} onClose={onClose} onSaved={onSaved} />
    </RecordDialog>
  );
}

const fields = ['name', 'phone', 'email', 'externalId'] as const;
type Field = (typeof fields)[number];
const maxLengths: Record<Field, number> = { name: 200, phone: 50, email: 254, externalId: 255 };

const valuesOf = (customer: Customer | undefined) =>
  Object.fromEntries(fields.map((field) => [field, customer?.[field] ?? ''])) as Record<Field, string>;

interface CustomerFormProps {
  of: Customer | undefined;
  onClose(): void;
  onSaved: ((customer: Customer) => void) | undefined;
}

function CustomerForm({ of, onClose, onSaved }: CustomerFormProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { base, others, save, withoutConflict } = useConflict<Customer, ReturnType<typeof valuesOf>>({
    of,
    valuesOf,
    reload: ({ id }) => queryClient.fetchQuery({ ...customerQuery(storeId, id), staleTime: 0 }),
  });
  const form = useForm({
    initialValues: valuesOf(base),
    validate: {
      name: (name, { phone, email }) =>
        [name, phone, email].some((text) => text.trim()) ? null : t('customers.contactRequired'),
      phone: (phone) =>
        phone === base?.phone || !phone.trim() || /\p{Nd}/u.test(phone) ? null : t('customers.phoneDigits'),
      email: (email) => validators(t).customerEmail(email, base?.email),
    },
  });

  const send = (values: typeof form.values) =>
    save(form, values, async (base) =>
      base
        ? sendChanges(valuesOf(base), values, base, (changed) => changeCustomer(storeId, base, changed))
        : createCustomer(storeId, values),
    );
  const submission = useSubmit(form, send, (customer) => {
    updateCachedCustomer(queryClient, storeId, customer);
    notify(t(of ? 'common.saved' : 'customers.created'));
    onClose();
    onSaved?.(customer);
  });
  const { error } = submission;
  return (
    <RecordForm
      submission={withoutConflict(submission)}
      action={t(of ? 'common.save' : 'customers.create')}
      onCancel={onClose}
    >
      <ConflictAlert changes={others} labelOf={(field) => t(`customers.${field as Field}`)} />
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
      <Duplicate error={error} onClose={onClose} />
    </RecordForm>
  );
}

/** The customer who has the phone, e-mail or external id already. */
function Duplicate({ error, onClose }: { error: unknown; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const discard = useDiscard();
  const other = error instanceof ApiError ? error.fieldErrors.find((each) => each.other)?.other : undefined;
  if (!other) return null;
  return (
    <Alert variant="default" role="alert" title={t('customers.duplicateTitle')}>
      {t('customers.duplicateText')}{' '}
      <Anchor
        size="sm"
        underline="always"
        onClick={() => {
          discard();
          onClose();
        }}
        renderRoot={(props) => (
          <Link {...props} to="/stores/$storeId/customers/$customerId" params={{ storeId, customerId: other.id }} />
        )}
      >
        {other.name || t('customers.nameless')}
      </Anchor>
    </Alert>
  );
}
