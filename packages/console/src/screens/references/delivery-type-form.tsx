import { Alert, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DeliveryType } from '@store-sales/contract';
import { IconShare } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { changeDeliveryType, createDeliveryType, deliveryTypesQuery, updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { notify } from '../../shell/notify.tsx';
import { Select } from '../../shell/select.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordForm } from './record-dialog.tsx';
import { validateCode } from './validate-code.ts';

const kinds: DeliveryType['kind'][] = ['courier', 'pickup', 'carrier'];

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: DeliveryType | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  code: string;
  kind: DeliveryType['kind'];
}

export function DeliveryTypeForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', code: of?.code ?? '', kind: of?.kind ?? 'courier' },
    validate: { name: validators(t).required(200), code: validateCode(t, of !== undefined) },
  });
  const submission = useSubmit(
    form,
    ({ name, code, kind }: Values) =>
      of
        ? sendChanges(form.getInitialValues(), { name, code, kind }, of, (changed) =>
            changeDeliveryType(storeId, of.id, changed),
          )
        : createDeliveryType(storeId, { name, kind, ...(code && { code }) }),
    (type) => {
      updateCachedList(queryClient, deliveryTypesQuery(storeId), type);
      notify(t(of ? 'common.saved' : 'references.created'));
      // The name is shared by all stores.
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [, store, , list] }) => list === 'delivery-types' && store !== storeId,
      });
      onClose();
    },
  );
  const provider = of?.provider ?? undefined;
  return (
    <RecordForm submission={submission} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
      <Alert variant="default" icon={<IconShare size={18} />} {...(of && { title: t('references.sharedTitle') })}>
        {t(of ? 'references.delivery.shared' : 'references.delivery.createHint')}
      </Alert>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('references.code')}
        {...(!of && { description: t('references.codeHint') })}
        {...form.getInputProps('code')}
      />
      <Select
        label={t('references.delivery.kind')}
        {...(provider && { description: t('references.delivery.kindLocked', { provider }), disabled: true })}
        data={kinds.map((value) => ({ value, label: t(`references.delivery.kinds.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
    </RecordForm>
  );
}
