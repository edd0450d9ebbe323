import { Alert, TextInput } from '@mantine/core';
import type { VersionedDeliveryType } from '@store-sales/contract/console';
import { deliveryKinds, TRACKING_TEMPLATE } from '@store-sales/contract/values';
import { IconShare } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call, ifMatch } from '../../api/client.ts';
import { deliveryTypesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { Select } from '../../shell/select.tsx';
import { validators } from '../../shell/validators.ts';
import { useReferenceForm } from './use-reference-form.ts';
import { codeOrNone, validateCode } from './validate-code.ts';

const templatePattern = new RegExp(TRACKING_TEMPLATE);

interface FormProps {
  storeId: string;
  of?: VersionedDeliveryType;
  onClose(): void;
}

type Values = Pick<VersionedDeliveryType, 'name' | 'code' | 'kind' | 'trackingUrlTemplate'>;

export function DeliveryTypeForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const record = useReferenceForm<VersionedDeliveryType, Values>({
    of,
    list: deliveryTypesQuery(storeId),
    blank: { name: '', code: '', kind: 'courier', trackingUrlTemplate: '' },
    valuesOf: ({ name, code, kind, trackingUrlTemplate }) => ({ name, code, kind, trackingUrlTemplate }),
    validate: {
      name: validators(t).required(200),
      code: validateCode(t, of !== undefined),
      trackingUrlTemplate: (value) =>
        !value || templatePattern.test(value) ? null : t('references.delivery.trackingUrlWrong'),
    },
    create: (values) =>
      call('POST /stores/{storeId}/delivery-types', { params: { storeId }, body: codeOrNone(values) }),
    change: ({ id, etag }, body) =>
      call('PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}', {
        params: { storeId, deliveryTypeId: id },
        body,
        ...ifMatch(etag),
      }),
    onClose() {
      // The name is shared by all stores.
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [params, route] }) =>
          route === 'GET /stores/{storeId}/delivery-types' && params.storeId !== storeId,
      });
      onClose();
    },
  });
  const { getInputProps } = record.form;
  const provider = of?.provider;
  return (
    <RecordDialog
      record={record}
      title={t(of ? 'references.delivery.editTitle' : 'references.delivery.createTitle')}
      create={t('catalog.create')}
      labelOf={(field) =>
        t(
          field === 'kind' || field === 'trackingUrlTemplate'
            ? `references.delivery.${field}`
            : `references.${field as 'name' | 'code'}`,
        )
      }
      textOf={(field, value) => (field === 'kind' ? t(`references.delivery.kinds.${value as Values['kind']}`) : value)}
      onClose={onClose}
    >
      <Alert variant="default" icon={<IconShare size={18} />} {...(of && { title: t('references.sharedTitle') })}>
        {t(of ? 'references.delivery.shared' : 'references.delivery.createHint')}
      </Alert>
      <TextInput label={t('references.name')} data-autofocus {...getInputProps('name')} />
      <TextInput
        label={t('references.code')}
        {...(!of && { description: t('references.codeHint') })}
        {...getInputProps('code')}
      />
      <Select
        label={t('references.delivery.kind')}
        {...(provider && { description: t('references.delivery.kindLocked', { provider }), disabled: true })}
        data={deliveryKinds.map((value) => ({ value, label: t(`references.delivery.kinds.${value}`) }))}
        {...getInputProps('kind')}
      />
      <TextInput
        label={t('references.delivery.trackingUrlTemplate')}
        description={t('references.delivery.trackingUrlHint')}
        placeholder="https://track.example.com/?id={number}"
        type="url"
        maxLength={2000}
        {...getInputProps('trackingUrlTemplate')}
      />
    </RecordDialog>
  );
}
