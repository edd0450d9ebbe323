import { Alert, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DeliveryType } from '@store-sales/contract';
import { IconShare } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeDeliveryType, createDeliveryType, deliveryTypesQuery, keep } from '../../api/references.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { codeCheck } from './code.ts';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

const kinds: DeliveryType['kind'][] = ['courier', 'pickup', 'carrier'];

interface DeliveryTypeDialogProps {
  storeId: string;
  edited: DeliveryType | 'new' | undefined;
  onClose(): void;
}

export function DeliveryTypeDialog({ storeId, edited, onClose }: DeliveryTypeDialogProps) {
  const { t } = useTranslation();
  const title = t(edited === 'new' ? 'references.delivery.createTitle' : 'references.delivery.editTitle');
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && <DeliveryTypeForm storeId={storeId} {...(edited !== 'new' && { of: edited })} onClose={onClose} />}
    </RecordDialog>
  );
}

interface Values {
  name: string;
  code: string;
  kind: DeliveryType['kind'];
}

function DeliveryTypeForm({ storeId, of, onClose }: { storeId: string; of?: DeliveryType; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', code: of?.code ?? '', kind: of?.kind ?? 'courier' },
    validate: { name: checks(t).filled(200), code: codeCheck(t, of !== undefined) },
  });
  const sending = useSubmit(
    form,
    ({ name, code, kind }: Values) =>
      of
        ? changeDeliveryType(storeId, of.id, { name, code, kind })
        : createDeliveryType(storeId, { name, kind, ...(code && { code }) }),
    (type) => {
      keep(queryClient, deliveryTypesQuery(storeId), type);
      notify(t(of ? 'common.saved' : 'references.created'));
      // The other stores show the same type under its new name.
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [, store, , list] }) => list === 'delivery-types' && store !== storeId,
      });
      onClose();
    },
  );
  const provider = of?.provider ?? undefined;
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'references.create')} onCancel={onClose}>
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
