import { Button, Group, Modal, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddressField, Order } from '@store-sales/contract';
import type { OrderDetails } from '@store-sales/contract/console';
import { useTranslation } from 'react-i18next';
import { notify } from '../../shell/notify.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { useChangeOrder } from './use-change-order.ts';

export type Part = 'customer' | 'delivery' | 'notes';

export const contactFields = ['name', 'phone', 'email'] as const;
export const placeFields = ['city', 'region', 'street', 'house', 'flat', 'postalCode'] as const;

interface EditOrderProps {
  paper: OrderDetails;
  /** What is being edited; nothing while nothing is. */
  part: Part | undefined;
  onClose(): void;
}

export function EditOrder({ paper, part, onClose }: EditOrderProps) {
  const { t } = useTranslation();
  const titles = {
    customer: t('orders.editCustomer'),
    delivery: t('orders.editDelivery'),
    notes: t('orders.editNotes'),
  };
  return (
    <Modal
      opened={part !== undefined}
      onClose={onClose}
      title={part && titles[part]}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {part && <EditForm order={paper.order} part={part} onClose={onClose} />}
    </Modal>
  );
}

const pick = <Field extends string>(from: Record<Field, string>, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, from[field]])) as Record<Field, string>;

function EditForm({ order, part, onClose }: { order: Order; part: Part; onClose(): void }) {
  const { t } = useTranslation();
  const change = useChangeOrder(order.id);
  const address: readonly AddressField[] = ['address', ...placeFields];
  const form = useForm({
    initialValues: {
      customer: pick(order.customer, contactFields),
      delivery: pick(order.delivery, address),
      notes: order.notes,
    },
  });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (values: typeof form.values) => change({ [part]: values[part] }),
    () => {
      notify(t('orders.saved'));
      onClose();
    },
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem}</ProblemAlert>
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
              {placeFields.map((field) => (
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
