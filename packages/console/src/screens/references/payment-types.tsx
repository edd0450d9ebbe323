import { Alert, Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCreditCard, IconPlus, IconShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createPaymentType, keep, paymentTypesQuery, switchPaymentType } from '../../api/references.ts';
import { checks } from '../../shell/checks.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { notify } from '../../shell/notify.ts';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { codeCheck } from './code.ts';
import { Code, ListHead, Loaded, Row, Rows } from './list.tsx';
import { RecordDialog, RecordForm } from './record-dialog.tsx';

export function PaymentTypes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = paymentTypesQuery(storeId);
  const query = useQuery(paymentTypesQuery(storeId));
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <ListHead
        text={t('references.types.text')}
        action={
          <Button leftSection={<IconPlus size={18} />} onClick={open}>
            {t('references.types.add')}
          </Button>
        }
      />
      <Loaded
        query={query}
        empty={
          <EmptyState
            icon={IconCreditCard}
            title={t('references.types.emptyTitle')}
            text={t('references.types.emptyText')}
          />
        }
      >
        {(types) => (
          <section className="panel" aria-label={t('references.paymentTypes')}>
            <Rows label={t('references.paymentTypes')}>
              {types.map((type) => (
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
              ))}
            </Rows>
          </section>
        )}
      </Loaded>
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
    validate: { name: checks(t).filled(200), code: codeCheck(t) },
  });
  const sending = useSubmit(
    form,
    ({ name, code, description }: Values) => createPaymentType(storeId, { name, description, ...(code && { code }) }),
    (type) => {
      keep(queryClient, paymentTypesQuery(storeId), type);
      notify(t('references.created'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t('references.create')} onCancel={onClose}>
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
