import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignIn } from '@store-sales/contract/console';
import { call } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { Form } from './form.tsx';
import { useSecondStep } from './second-step.tsx';
import { SecretInput } from './secret-input.tsx';
import { useSubmit } from './use-submit.ts';
import { validators } from './validators.ts';

export interface SessionFormProps {
  email: string;
  onDone(): Promise<void>;
}

/** In a file of its own, because few sessions end while the console is open. */
export function SessionForm({ email, onDone }: SessionFormProps) {
  const { t } = useTranslation();
  const validate = validators(t);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, password: '' },
    validate: { email: validate.email, password: validate.required(200) },
  });
  const second = useSecondStep(onDone);
  const submission = useSubmit(
    form,
    (body: SignIn) => call('POST /session', { body }),
    (request) => (request ? second.request(request) : onDone()),
  );
  if (second.element) return second.element;
  return (
    <Stack>
      <Text size="sm">{t('sessionEnded.text')}</Text>
      <Form
        submission={{ ...submission, problem: submission.problem ?? second.problem }}
        action={t('signIn.submit')}
        isWide
      >
        <TextInput label={t('signIn.email')} type="email" autoComplete="username" {...form.getInputProps('email')} />
        <SecretInput
          label={t('signIn.password')}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      </Form>
      <Text size="sm" c="dimmed">
        {t('sessionEnded.other')}
      </Text>
    </Stack>
  );
}
