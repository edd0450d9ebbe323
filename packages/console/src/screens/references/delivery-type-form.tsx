import { Alert, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DeliveryType } from '@store-sales/contract';
import type { VersionedDeliveryType } from '@store-sales/contract/console';
import { IconShare } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import {
  changeDeliveryType,
  createDeliveryType,
  deliveryTypesQuery,
  reloadRecord,
  updateCachedList,
} from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { Select } from '../../shell/select.tsx';
import { useConflict } from '../../shell/use-conflict.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordForm } from './record-dialog.tsx';
import { codeOrNone, validateCode } from './validate-code.ts';

const kinds: DeliveryType['kind'][] = ['courier', 'pickup', 'carrier'];

interface FormProps {
  storeId: string;
  /** Without it, the form creates a record. */
  of: VersionedDeliveryType | undefined;
  onClose(): void;
}

interface Values {
  name: string;
  code: string;
  kind: DeliveryType['kind'];
}

const valuesOf = ({ name, code, kind }: Values): Values => ({ name, code, kind });

export function DeliveryTypeForm({ storeId, of, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { base, others, save, withoutConflict } = useConflict<VersionedDeliveryType, Values>({
    of,
    valuesOf,
    reload: (type) => reloadRecord(queryClient, deliveryTypesQuery(storeId), type),
  });
  const form = useForm<Values>({
    initialValues: valuesOf(of ?? { name: '', code: '', kind: 'courier' }),
    validate: { name: validators(t).required(200), code: validateCode(t, of !== undefined) },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      save(form, values, (base) =>
        base
          ? sendChanges(valuesOf(base), values, base, (changed) =>
              changeDeliveryType(storeId, base.id, changed, base.etag),
            )
          : createDeliveryType(storeId, codeOrNone(values)),
      ),
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
  const provider = base?.provider ?? undefined;
  return (
    <RecordForm
      submission={withoutConflict(submission)}
      action={t(of ? 'common.save' : 'references.create')}
      onCancel={onClose}
    >
      <ConflictAlert
        changes={others}
        labelOf={(field) => t(field === 'kind' ? 'references.delivery.kind' : `references.${field as 'name' | 'code'}`)}
        textOf={(field, value) =>
          field === 'kind' ? t(`references.delivery.kinds.${value as Values['kind']}`) : value
        }
      />
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
