import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { signIn } from '../api/account.ts';
import { useTranslation } from '../i18n/index.ts';
import { ProblemAlert } from './problem-alert.tsx';
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
  const { onSubmit, isSending, problem } = useSubmit(form, signIn, (request) =>
    request ? second.request(request) : onDone(),
  );
  if (second.element) return second.element;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('sessionEnded.text')}</Text>
        <ProblemAlert>{problem ?? second.problem}</ProblemAlert>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <SecretInput
          label={t('signIn.password')}
          autoComplete="current-password"
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth loading={isSending}>
          {t('signIn.submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('sessionEnded.other')}
        </Text>
      </Stack>
    </form>
  );
}
