import { Button, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddressField, Order } from '@store-sales/contract';
import type { OrderDetails } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { orderQuery } from '../../api/orders.ts';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { changedFields, mergeChanges, type OtherChange } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { statusName } from '../../shell/system-names.ts';
import { FormDialog } from '../../shell/unsaved.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { addressFields, contactFields } from './new-order-draft.ts';
import { useChangeOrder } from './use-change-order.ts';

export type Part = 'customer' | 'delivery' | 'notes';

interface EditOrderProps {
  details: OrderDetails;
  part: Part;
  onClose(): void;
}

type FieldName = (typeof contactFields)[number] | AddressField | 'notes' | 'status' | 'payment';
const lastPart = (path: string) => path.split('.').at(-1) as FieldName;

export default function EditOrder({ details, part, onClose }: EditOrderProps) {
  const { t } = useTranslation();
  const titles = {
    customer: t('orders.editCustomer'),
    delivery: t('orders.editDelivery'),
    notes: t('orders.editNotes'),
  };
  return (
    <FormDialog opened onClose={onClose} title={titles[part]}>
      <EditForm details={details} part={part} onClose={onClose} />
    </FormDialog>
  );
}

const pick = <Field extends string>(from: Record<Field, string>, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, from[field]])) as Record<Field, string>;

/** The editable fields, and the statuses, which are only shown if someone else changes them. */
const valuesOf = (order: Order, t: Translate) => ({
  customer: pick(order.customer, contactFields),
  delivery: pick<AddressField>(order.delivery, ['address', ...addressFields]),
  notes: order.notes,
  status: statusName(order.status, t),
  payment: statusName(order.paymentStatus, t),
});

function EditForm({ details, part, onClose }: { details: OrderDetails; part: Part; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const change = useChangeOrder(details.order.id);
  // The version that this person sees in the form, which may be older than the cached one.
  const [base, setBase] = useState(details);
  const [others, setOthers] = useState<OtherChange[]>();
  const form = useForm({
    initialValues: valuesOf(base.order, t),
    validate: { customer: { email: (value) => validators(t).customerEmail(value, base.order.customer.email) } },
  });

  async function save(values: typeof form.values) {
    const before = valuesOf(base.order, t);
    const changed = changedFields(before, values);
    if (!changed[part]) return;
    try {
      await change(changed, base.etag);
    } catch (error) {
      const latest = queryClient.getQueryData(orderQuery(storeId, details.order.id).queryKey);
      if (latest && error instanceof ApiError && error.code === 'precondition_failed') {
        const now = valuesOf(latest.order, t);
        const merged = mergeChanges(before, values, now);
        form.setInitialValues(now);
        form.setValues(merged.values);
        setBase(latest);
        setOthers(merged.changes);
      }
      throw error;
    }
  }

  const { onSubmit, isSending, error, problem } = useSubmit(form, save, () => {
    notify(t('orders.saved'));
    onClose();
  });
  const isConflict = error instanceof ApiError && error.code === 'precondition_failed';
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ConflictAlert changes={others} labelOf={(field) => t(`orders.${lastPart(field)}`)} />
        <ProblemAlert>{others && isConflict ? undefined : problem}</ProblemAlert>
        {part === 'notes' && (
          <Textarea label={t('orders.notes')} autosize minRows={4} data-autofocus {...form.getInputProps('notes')} />
        )}
        {part === 'customer' &&
          contactFields.map((field, index) => (
            <TextInput
              key={field}
              label={t(`orders.${field}`)}
              {...(index === 0 && { 'data-autofocus': true })}
              {...form.getInputProps(`customer.${field}`)}
            />
          ))}
        {part === 'delivery' && (
          <>
            <TextInput label={t('orders.address')} data-autofocus {...form.getInputProps('delivery.address')} />
            <SimpleGrid cols={2}>
              {addressFields.map((field) => (
                <TextInput key={field} label={t(`orders.${field}`)} {...form.getInputProps(`delivery.${field}`)} />
              ))}
            </SimpleGrid>
          </>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
