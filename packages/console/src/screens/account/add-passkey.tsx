import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddedFactor } from '@store-sales/contract/console';
import { ApiError } from '../../api/client.ts';
import { newPasskey, offerPasskey, savePasskey } from '../../api/second-factor.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { FormDialog } from '../../shell/unsaved.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { browserName } from './browser-name.ts';

interface AddPasskeyProps {
  onAdded(added: AddedFactor): void;
  onClose(): void;
}

export default function AddPasskey({ onAdded, onClose }: AddPasskeyProps) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { name: browserName(navigator.userAgent, t) },
    validate: { name: validators(t).required(100) },
  });
  const { onSubmit, isSending, error, problem } = useSubmit(
    form,
    async ({ name }: { name: string }) => savePasskey(await newPasskey(await offerPasskey(), name.trim())),
    onAdded,
  );
  // The browser rejects with an error of its own if the person cancels.
  const text = error && !(error instanceof ApiError) ? t('secondFactor.passkeyFailed') : problem;
  return (
    <FormDialog opened onClose={onClose} title={t('secondFactor.addPasskey')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <ProblemAlert>{text}</ProblemAlert>
          <TextInput
            label={t('secondFactor.passkeyName')}
            description={t('secondFactor.passkeyNameHint')}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {t('secondFactor.continue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
