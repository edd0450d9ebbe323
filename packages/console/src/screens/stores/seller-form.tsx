import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Seller } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { sellerQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { FORM_QUERY } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { Form } from '../../shell/form.tsx';
import { FieldsSkeleton, Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

/** Who sells: on documents, and where customers answer to. */
export function SellerPanel({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  const mayChange = useMay()('changeStore');
  const seller = useQuery({ ...sellerQuery(storeId), ...FORM_QUERY });
  return (
    <Panel title={t('stores.seller')} text={t('stores.sellerText')}>
      <Loaded query={seller} pending={<FieldsSkeleton rows={4} />}>
        {(data) => (mayChange ? <SellerForm storeId={storeId} seller={data} /> : <SellerFacts seller={data} />)}
      </Loaded>
    </Panel>
  );
}

function SellerFacts({ seller: { name, address, taxNumber, email } }: { seller: Seller }) {
  const { t } = useTranslation();
  const facts: Fact[] = [
    [t('stores.sellerName'), name || '—'],
    [t('stores.sellerAddress'), address || '—'],
    [t('stores.sellerTaxNumber'), taxNumber || '—'],
    [t('stores.sellerEmail'), email || '—'],
  ];
  return <Facts of={facts} cols={{ base: 1, xs: 2 }} />;
}

function SellerForm({ storeId, seller }: { storeId: string; seller: Seller }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Seller>({
    initialValues: seller,
    validate: { email: (value) => validators(t).customerEmail(value, seller.email) },
  });
  const submission = useSubmit(
    form,
    (body: Seller) => call('PUT /stores/{storeId}/seller', { params: { storeId }, body }),
    (saved) => {
      queryClient.setQueryData(sellerQuery(storeId).queryKey, saved);
      form.setInitialValues(saved);
      form.reset();
      notify(t('common.saved'));
    },
  );
  return (
    <Form submission={submission} action={t('stores.saveSeller')} isDisabled={!form.isDirty()}>
      <TextInput label={t('stores.sellerName')} maxLength={200} {...form.getInputProps('name')} />
      <Textarea
        label={t('stores.sellerAddress')}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('address')}
      />
      <TextInput label={t('stores.sellerTaxNumber')} maxLength={100} {...form.getInputProps('taxNumber')} />
      <TextInput
        label={t('stores.sellerEmail')}
        description={t('stores.sellerEmailHint')}
        type="email"
        maxLength={254}
        {...form.getInputProps('email')}
      />
    </Form>
  );
}
