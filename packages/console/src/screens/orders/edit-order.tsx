import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { AddressField, Order } from '@store-sales/contract';
import type { OrderDetails } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { changeOrder, orderQuery, updateCachedOrder } from '../../api/orders.ts';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { kopecks, useMoney } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { notify } from '../../shell/notify.tsx';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useRecordForm } from '../../shell/use-record-form.ts';
import { useStore } from '../../shell/use-store.ts';
import { validators } from '../../shell/validators.ts';
import { addressFields, contactFields } from './new-order-draft.ts';

export type Part = 'customer' | 'delivery' | 'tracking' | 'notes' | 'paid';

interface EditOrderProps {
  details: OrderDetails;
  part: Part;
  onClose(): void;
}

type FieldName =
  | (typeof contactFields)[number]
  | AddressField
  | 'trackingNumber'
  | 'notes'
  | 'paid'
  | 'status'
  | 'payment';
const lastPart = (path: string) => path.split('.').at(-1) as FieldName;

const pick = <Field extends string>(from: Record<Field, string>, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, from[field]])) as Record<Field, string>;

/** The editable fields, and the statuses, which are only shown if someone else changes them. */
const valuesOf = (order: Order, t: Translate) => ({
  customer: pick(order.customer, contactFields),
  delivery: pick<AddressField | 'trackingNumber'>(order.delivery, ['address', ...addressFields, 'trackingNumber']),
  notes: order.notes,
  /** In currency units. */
  paid: (order.paidAmount / 100) as number | string,
  status: statusName(order.status, t),
  payment: statusName(order.paymentStatus, t),
});

/** A dialog for one part of an order. */
export default function EditOrder({ details, part, onClose }: EditOrderProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const current = orderQuery(storeId, details.order.id);
  const valuesOfDetails = ({ order }: OrderDetails) => valuesOf(order, t);
  const record = useRecordForm({
    of: details,
    blank: valuesOfDetails(details),
    valuesOf: valuesOfDetails,
    validate: (base = details) => ({
      customer: { email: (value) => validators(t).customerEmail(value, base.order.customer.email) },
      paid: validators(t).amount,
    }),
    change: ({ order, etag }, { paid, ...changed }) =>
      changeOrder(storeId, order.id, { ...changed, ...(paid !== undefined && { paidAmount: kopecks(paid) }) }, etag),
    // Also what is shown behind the dialog.
    reload: () => queryClient.fetchQuery({ ...current, staleTime: 0 }),
    onSaved(changed) {
      if (changed) updateCachedOrder(queryClient, storeId, changed);
      notify(t('orders.saved'));
      onClose();
    },
  });
  const { form } = record;
  const titles = {
    customer: t('orders.editCustomer'),
    delivery: t('orders.editDelivery'),
    tracking: t('orders.editTracking'),
    notes: t('orders.editNotes'),
    paid: t('orders.editPaid'),
  };
  return (
    <RecordDialog
      record={record}
      title={titles[part]}
      labelOf={(field) => t(`orders.${lastPart(field)}`)}
      onClose={onClose}
    >
      {part === 'notes' && (
        <Textarea label={t('orders.notes')} autosize minRows={4} data-autofocus {...form.getInputProps('notes')} />
      )}
      {part === 'tracking' && (
        <TextInput
          label={t('orders.trackingNumber')}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('delivery.trackingNumber')}
        />
      )}
      {part === 'paid' && (
        <MoneyInput
          label={t('orders.paid')}
          description={t('orders.paidHint', { total: money(record.base?.order.totalAmount ?? 0) })}
          data-autofocus
          {...form.getInputProps('paid')}
        />
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
    </RecordDialog>
  );
}
