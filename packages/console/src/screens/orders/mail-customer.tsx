import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OrderDetails } from '@store-sales/contract/console';
import { MAX_MAIL_TEXT } from '@store-sales/contract/values';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { updateCachedOrder } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';

export default function MailCustomer({ details, onClose }: { details: OrderDetails; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { id: orderId, customer } = details.order;
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text.trim() ? null : t('fieldErrors.required')) },
  });
  const submission = useSubmit(
    form,
    (body: { text: string }) =>
      call('POST /stores/{storeId}/orders/{orderId}/mails', { params: { storeId, orderId }, body }),
    (changed) => {
      updateCachedOrder(queryClient, storeId, changed);
      notify(t('orders.mail.sent'));
      onClose();
    },
  );
  return (
    <FormDialog
      submission={submission}
      title={t('orders.mail.title')}
      size="lg"
      action={t('orders.mail.send')}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('orders.mail.to', { email: customer.email })}
      </Text>
      <Textarea
        label={t('orders.mail.text')}
        description={t('orders.mail.hint')}
        autosize
        minRows={5}
        maxRows={16}
        maxLength={MAX_MAIL_TEXT}
        data-autofocus
        {...form.getInputProps('text')}
      />
    </FormDialog>
  );
}
