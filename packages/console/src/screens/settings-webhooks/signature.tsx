import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowLeft, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { TextLink } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { checkSignature, type Outcome } from './check-signature.ts';

/** Runs in the browser; nothing is sent to the server. */
export function SignatureHelper() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const [outcome, setOutcome] = useState<Outcome>();
  const form = useForm({
    initialValues: { header: '', body: '', secret: '' },
    validate: {
      header: (value) => (value.trim() ? null : t('fieldErrors.required')),
      secret: (value) => (value.trim() ? null : t('fieldErrors.required')),
    },
    onValuesChange: () => setOutcome(undefined),
  });
  return (
    <Page title={t('webhooks.signatureHelper')} text={t('webhooks.helper.text')} size="form">
      <TextLink size="sm" mt={-16} to="/stores/$storeId/settings/webhooks" params={{ storeId }}>
        <Group gap={4} component="span">
          <IconArrowLeft size={15} aria-hidden /> {t('webhooks.back')}
        </Group>
      </TextLink>
      <Panel title={t('webhooks.helper.check')}>
        <form
          noValidate
          autoComplete="off"
          onSubmit={form.onSubmit(async ({ header, body, secret }) =>
            setOutcome(await checkSignature(header, body, secret, Date.now())),
          )}
        >
          <Stack>
            <TextInput
              label={t('webhooks.helper.header')}
              placeholder="t=1789000000,v1=5257a869…"
              {...form.getInputProps('header')}
            />
            <Textarea
              label={t('webhooks.helper.body')}
              description={t('webhooks.helper.bodyHint')}
              autosize
              minRows={5}
              maxRows={16}
              spellCheck={false}
              {...form.getInputProps('body')}
            />
            <TextInput
              label={t('webhooks.secret')}
              placeholder="whsec_…"
              autoComplete="off"
              {...form.getInputProps('secret')}
            />
            {outcome && <Result of={outcome} />}
            <Group justify="flex-end">
              <Button type="submit">{t('webhooks.helper.check')}</Button>
            </Group>
          </Stack>
        </form>
      </Panel>
    </Page>
  );
}

function Result({ of: outcome }: { of: Outcome }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  if (outcome.ok)
    return (
      <Alert
        variant="default"
        role="status"
        icon={<IconCircleCheck color="var(--mantine-color-teal-6)" />}
        title={t('webhooks.helper.valid')}
      >
        {t('webhooks.helper.validText', { when: dateTime(outcome.timestamp * 1000) })}
      </Alert>
    );
  return (
    <Alert
      variant="default"
      role="alert"
      icon={<IconCircleX color="var(--mantine-color-error)" />}
      title={t('webhooks.helper.invalid')}
    >
      {t(`webhooks.helper.${outcome.hint ?? outcome.reason}`, { minutes: outcome.minutes })}
    </Alert>
  );
}
