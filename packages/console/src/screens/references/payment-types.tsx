import { Alert, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCreditCard, IconShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { query } from '../../api/query.ts';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Code, Row } from './list.tsx';
import { ReferenceList } from './reference-list.tsx';
import { codeOrNone, validateCode } from './validate-code.ts';

const listQuery = (storeId: string) => query('GET /stores/{storeId}/payment-types', { params: { storeId } });

export function PaymentTypes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const list = listQuery(storeId);
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <ReferenceList
        query={useQuery(list)}
        label={t('references.paymentTypes')}
        section="types"
        onAdd={open}
        isShared
        icon={IconCreditCard}
      >
        {(type) => (
          <Row
            key={type.id}
            name={paymentTypeName(type, t)}
            isOff={!type.isActive}
            note={
              <>
                <Code>{type.code}</Code>
                {type.description && <> · {type.description}</>}
              </>
            }
          >
            <ActiveSwitch
              of={type}
              queryKey={list.queryKey}
              label={t('references.switchHereNamed', { name: paymentTypeName(type, t) })}
              save={(isActive) =>
                call('PATCH /stores/{storeId}/payment-types/{paymentTypeId}', {
                  params: { storeId, paymentTypeId: type.id },
                  body: { isActive },
                })
              }
            />
          </Row>
        )}
      </ReferenceList>
      {isCreating && <PaymentTypeForm storeId={storeId} onClose={close} />}
    </>
  );
}

function PaymentTypeForm({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: '', code: '', description: '' },
    validate: { name: validators(t).required(200), code: validateCode(t) },
  });
  const submission = useSubmit(
    form,
    (values: typeof form.values) =>
      call('POST /stores/{storeId}/payment-types', { params: { storeId }, body: codeOrNone(values) }),
    (type) => {
      updateCachedList(queryClient, listQuery(storeId).queryKey, type);
      notify(t('references.created'));
      onClose();
    },
  );
  return (
    <FormDialog
      submission={submission}
      title={t('references.types.createTitle')}
      action={t('catalog.create')}
      onClose={onClose}
    >
      <Alert variant="default" icon={<IconShare size={18} />}>
        {t('references.types.createHint')}
      </Alert>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t('references.code')} description={t('references.codeHint')} {...form.getInputProps('code')} />
      <Textarea
        label={t('catalog.description')}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  );
}
