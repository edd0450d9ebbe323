import { Box, SegmentedControl, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { StatusMail, VersionedOrderStatus } from '@store-sales/contract/console';
import { customerMailWords, MAX_MAIL_TEXT, mailParagraphs, mailVariables } from '@store-sales/contract/values';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { statusMailsQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { useMoney } from '../../shell/money.ts';
import { notify } from '../../shell/notify.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';

interface FormProps {
  status: VersionedOrderStatus;
  mail: StatusMail;
  onClose(): void;
}

type Values = Omit<StatusMail, 'statusId'>;

/** Whether and what customers are told when their order gets the status. */
export default function StatusMailForm({ status, mail, onClose }: FormProps) {
  const { t, language } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<'en' | 'ru'>(language);
  const { statusId, ...initialValues } = mail;
  const form = useForm<Values>({
    initialValues,
    validate: (values) =>
      values.isEnabled && !values.textEn.trim() && !values.textRu.trim()
        ? { [shown === 'ru' ? 'textRu' : 'textEn']: t('references.mail.textRequired') }
        : {},
  });
  const submission = useSubmit(
    form,
    (body: Values) => call('PUT /stores/{storeId}/status-mails/{statusId}', { params: { storeId, statusId }, body }),
    () => {
      void queryClient.invalidateQueries(statusMailsQuery(storeId));
      notify(t('common.saved'));
      onClose();
    },
  );
  const field = shown === 'ru' ? 'textRu' : 'textEn';
  return (
    <FormDialog
      submission={submission}
      title={t('references.mail.title', { name: statusName(status, t) })}
      size="lg"
      action={t('common.save')}
      onClose={onClose}
    >
      <Switch
        label={t('references.mail.isEnabled')}
        description={t('references.mail.isEnabledHint')}
        {...form.getInputProps('isEnabled', { type: 'checkbox' })}
      />
      <SegmentedControl
        aria-label={t('references.mail.language')}
        value={shown}
        onChange={(value) => setShown(value as 'en' | 'ru')}
        data={(['en', 'ru'] as const).map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      <Textarea
        key={field}
        label={t('references.mail.text')}
        description={t('references.mail.textHint', { variables: mailVariables.map((name) => `{${name}}`).join(' ') })}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MAX_MAIL_TEXT}
        {...form.getInputProps(field)}
      />
      <Preview text={form.values[field]} language={shown} status={statusName(status, t)} />
    </FormDialog>
  );
}

/** The mail of an example order. */
function Preview({ text, language, status }: { text: string; language: 'en' | 'ru'; status: string }) {
  const { t } = useTranslation();
  const { name: store } = useStore();
  const { money } = useMoney();
  const words = customerMailWords[language];
  const paragraphs = mailParagraphs(text, {
    number: '1024',
    customer: language === 'ru' ? 'Анна' : 'Anna',
    total: money(129_000),
    due: money(0),
    status,
    tracking: 'RA123456789',
    store,
  });
  return (
    <Box
      component="section"
      aria-label={t('references.mail.preview')}
      className="code-box"
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text size="xs" c="dimmed">
        {t('references.mail.preview')}
      </Text>
      <Text size="sm" fw={600} mb="xs">
        {words.subject('1024', store)}
      </Text>
      {/* The order of a text never changes. */}
      {paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
        <Text key={index} size="sm" mb="xs">
          {paragraph}
        </Text>
      ))}
      <Text size="sm" td="underline">
        {words.order('', store)}
      </Text>
      <Text size="sm" td="underline" mb="xs">
        {words.parcel('RA123456789', store)}
      </Text>
      <Text size="xs" c="dimmed">
        {words.note('', store)}
      </Text>
    </Box>
  );
}
