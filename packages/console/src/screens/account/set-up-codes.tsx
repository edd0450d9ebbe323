import { Box, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddedFactor, CodesOffer } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import encode from 'qr';
import { call } from '../../api/client.ts';
import { FORM_QUERY, query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { FormDialog } from '../../shell/form.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

interface SetUpCodesProps {
  onAdded(added: AddedFactor): void;
  onClose(): void;
}

export default function SetUpCodes({ onAdded, onClose }: SetUpCodesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...query('POST /second-factor/codes'), ...FORM_QUERY });
  if (data) return <CodeForm offer={data} onAdded={onAdded} onClose={onClose} />;
  if (!error) return null;
  return (
    <Dialog onClose={onClose} title={t('secondFactor.setUpCodes')}>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

function CodeForm({ offer, onAdded, onClose }: SetUpCodesProps & { offer: CodesOffer }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { code: '' }, validate: { code: validators(t).required(20) } });
  const submission = useSubmit(
    form,
    ({ code }: { code: string }) => call('PUT /second-factor/codes', { body: { token: offer.token, code } }),
    onAdded,
  );
  const picture = `data:image/svg+xml,${encodeURIComponent(encode(offer.uri, 'svg'))}`;
  return (
    <FormDialog
      submission={submission}
      title={t('secondFactor.setUpCodes')}
      action={t('secondFactor.submit')}
      onClose={onClose}
    >
      <Text size="sm">{t('secondFactor.scan')}</Text>
      {/* On white in the dark theme too, so that cameras can read it. */}
      <img
        src={picture}
        alt={t('secondFactor.scanAlt')}
        width={200}
        height={200}
        style={{ background: '#fff', alignSelf: 'center' }}
      />
      <Box>
        <Text size="sm" fw={600} mb={4}>
          {t('secondFactor.secret')}
        </Text>
        <CodeBox text={offer.secret} testId="code-secret" />
      </Box>
      <TextInput
        label={t('secondFactor.code')}
        description={t('secondFactor.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormDialog>
  );
}
