import { Grid, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { choicesQuery, createOrder, keepOrder } from '../../api/orders.ts';
import { notify } from '../../shell/notify.ts';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { contactFields, placeFields } from './edit-order.tsx';
import { NewItems } from './new-items.tsx';
import { asSent, type Draft, useDraft } from './new-order-draft.ts';
import { NewOrderSummary } from './new-order-summary.tsx';
import { BackToOrders } from './order.tsx';
import { useMoneyField } from './use-money-field.ts';

export function NewOrder() {
  const { t } = useTranslation();
  const store = useStore();
  return (
    <Page title={t('orders.newTitle')} text={t('orders.newText')} action={<BackToOrders />}>
      {/* Another store has other products: what was typed for one is never ordered in the other. */}
      <NewOrderForm key={store.id} storeId={store.id} />
    </Page>
  );
}

function NewOrderForm({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: choices } = useQuery(choicesQuery(storeId));
  const form = useDraft();
  const money = useMoneyField();
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (draft: Draft) => createOrder(storeId, asSent(draft)),
    async (paper) => {
      keepOrder(queryClient, storeId, paper);
      notify(t('orders.done', { number: paper.order.number }));
      await navigate({ to: '/stores/$storeId/orders/$orderId', params: { storeId, orderId: paper.order.id } });
    },
  );
  const types = (list: { id: string; name: string; isActive: boolean }[] | undefined) =>
    list?.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const choice = { clearable: true, clearButtonProps: { 'aria-label': t('orders.clear') } } as const;

  return (
    <form onSubmit={onSubmit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Panel title={t('orders.items')}>
              <NewItems form={form} />
            </Panel>
            <Panel title={t('orders.customer')}>
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                {contactFields.map((field) => (
                  <TextInput key={field} label={t(`orders.${field}`)} {...form.getInputProps(`customer.${field}`)} />
                ))}
              </SimpleGrid>
            </Panel>
            <Panel title={t('orders.delivery')}>
              <Stack>
                <SimpleGrid cols={{ base: 1, sm: 3 }}>
                  <Select
                    {...choice}
                    label={t('orders.deliveryType')}
                    placeholder={t('orders.notChosen')}
                    data={types(choices?.deliveryTypes)}
                    {...form.getInputProps('delivery.typeId')}
                  />
                  <NumberInput {...money} label={t('orders.cost')} {...form.getInputProps('delivery.cost')} />
                  <NumberInput
                    {...money}
                    label={t('orders.deliveryDiscount')}
                    {...form.getInputProps('delivery.discount')}
                  />
                </SimpleGrid>
                <TextInput label={t('orders.address')} {...form.getInputProps('delivery.address')} />
                <SimpleGrid cols={{ base: 2, sm: 3 }}>
                  {placeFields.map((field) => (
                    <TextInput key={field} label={t(`orders.${field}`)} {...form.getInputProps(`delivery.${field}`)} />
                  ))}
                </SimpleGrid>
              </Stack>
            </Panel>
            <Panel title={t('orders.payment')}>
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                <Select
                  {...choice}
                  label={t('orders.paymentType')}
                  placeholder={t('orders.notChosen')}
                  data={types(choices?.paymentTypes?.map((type) => ({ ...type, name: paymentTypeName(type, t) })))}
                  {...form.getInputProps('paymentTypeId')}
                />
                <NumberInput {...money} label={t('orders.orderDiscount')} {...form.getInputProps('discount')} />
                <TextInput label={t('orders.promoCode')} {...form.getInputProps('promoCode')} />
              </SimpleGrid>
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
