import { Alert, Button, Grid, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { OrderDetails } from '@store-sales/contract/console';
import { IconRestore } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { updateCachedOrder } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { addOwnOrder } from '../../shell/live.ts';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { DeliveryFields, PaymentFields } from './amount-fields.tsx';
import { BackToOrders } from './back-to-orders.tsx';
import { CustomerFields } from './customer-fields.tsx';
import { NewItems } from './new-items.tsx';
import { addressFields } from './new-order-draft.ts';
import { NewOrderSummary } from './new-order-summary.tsx';
import { useNewOrder } from './use-new-order.ts';

const route = getRouteApi('/signed-in/stores/$storeId/orders/new');

export function NewOrder() {
  const { t } = useTranslation();
  const store = useStore();
  return (
    <Page title={t('orders.create')} text={t('orders.newText')} action={<BackToOrders />}>
      {/* The key resets the form when the store changes. */}
      <NewOrderForm key={store.id} storeId={store.id} />
    </Page>
  );
}

function NewOrderForm({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { customer: customerId } = route.useSearch();
  const { form, isRestored, remove, discard, send } = useNewOrder(storeId);
  async function onDone(details: OrderDetails) {
    updateCachedOrder(queryClient, storeId, details);
    addOwnOrder(details.order.number);
    notify(t('orders.done', { number: details.order.number }));
    await navigate({ to: '/stores/$storeId/orders/$orderId', params: { storeId, orderId: details.order.id } });
  }
  const { onSubmit, isSending, problem } = useSubmit(form, send, onDone, remove);

  return (
    <form onSubmit={onSubmit} noValidate>
      {isRestored && (
        <Alert variant="default" icon={<IconRestore size={18} />} title={t('orders.draftRestored')} mb="lg">
          <Group justify="space-between" gap="sm">
            <Text size="sm">{t('orders.draftText')}</Text>
            <Button variant="default" size="xs" onClick={discard}>
              {t('orders.discardDraft')}
            </Button>
          </Group>
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Panel title={t('orders.items')}>
              <NewItems form={form} />
            </Panel>
            <Panel title={t('orders.customer')}>
              <CustomerFields form={form} customerId={customerId} />
            </Panel>
            <Panel title={t('orders.delivery')}>
              <Stack>
                <DeliveryFields form={form} />
                <TextInput label={t('orders.address')} {...form.getInputProps('delivery.address')} />
                <SimpleGrid cols={{ base: 2, sm: 3 }}>
                  {addressFields.map((field) => (
                    <TextInput key={field} label={t(`orders.${field}`)} {...form.getInputProps(`delivery.${field}`)} />
                  ))}
                </SimpleGrid>
              </Stack>
            </Panel>
            <Panel title={t('orders.payment')}>
              <PaymentFields form={form} />
            </Panel>
            <Panel title={t('orders.notes')}>
              <Textarea aria-label={t('orders.notes')} autosize minRows={3} {...form.getInputProps('notes')} />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <NewOrderSummary draft={form.values} isSending={isSending} problem={problem} />
        </Grid.Col>
      </Grid>
    </form>
  );
}
