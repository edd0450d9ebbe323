import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddedFactor } from '@store-sales/contract/console';
import { ApiError, call } from '../../api/client.ts';
import { newPasskey } from '../../api/second-factor.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
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
  const submission = useSubmit(
    form,
    async ({ name }: { name: string }) => {
      const offer = await call('POST /second-factor/passkeys/start');
      return call('POST /second-factor/passkeys', { body: await newPasskey(offer, name.trim()) });
    },
    onAdded,
  );
  // The browser rejects with an error of its own if the person cancels.
  const { error } = submission;
  const isCancelled = error && !(error instanceof ApiError);
  return (
    <FormDialog
      submission={isCancelled ? { ...submission, problem: t('secondFactor.passkeyFailed') } : submission}
      title={t('secondFactor.addPasskey')}
      action={t('secondFactor.continue')}
      onClose={onClose}
    >
      <TextInput
        label={t('secondFactor.passkeyName')}
        description={t('secondFactor.passkeyNameHint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
