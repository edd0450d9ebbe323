import { Alert, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCreditCard, IconShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createPaymentType, paymentTypesQuery, switchPaymentType, updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Code, Row } from './list.tsx';
import { RecordDialog, RecordForm } from './record-dialog.tsx';
import { ReferenceList } from './reference-list.tsx';
import { codeOrNone, validateCode } from './validate-code.ts';

export function PaymentTypes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = paymentTypesQuery(storeId);
  const query = useQuery(paymentTypesQuery(storeId));
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <ReferenceList
        query={query}
        label={t('references.paymentTypes')}
        section="types"
        onAdd={open}
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
              queryKey={queryKey}
              label={t('references.switchHereNamed', { name: paymentTypeName(type, t) })}
              save={(isActive) => switchPaymentType(storeId, type.id, isActive)}
            />
          </Row>
        )}
      </ReferenceList>
      <RecordDialog title={t('references.types.createTitle')} isOpen={isCreating} onClose={close}>
        <PaymentTypeForm storeId={storeId} onClose={close} />
      </RecordDialog>
    </>
  );
}

interface Values {
  name: string;
  code: string;
  description: string;
}

function PaymentTypeForm({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: '', code: '', description: '' },
    validate: { name: validators(t).required(200), code: validateCode(t) },
  });
  const submission = useSubmit(
    form,
    (values: Values) => createPaymentType(storeId, codeOrNone(values)),
    (type) => {
      updateCachedList(queryClient, paymentTypesQuery(storeId), type);
      notify(t('references.created'));
      onClose();
    },
  );
  return (
    <RecordForm submission={submission} action={t('references.create')} onCancel={onClose}>
      <Alert variant="default" icon={<IconShare size={18} />}>
        {t('references.types.createHint')}
      </Alert>
      <TextInput label={t('references.name')} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t('references.code')} description={t('references.codeHint')} {...form.getInputProps('code')} />
      <Textarea
        label={t('references.description')}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
    </RecordForm>
  );
}
