import { Box, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AddedFactor, CodesOffer } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import encode from 'qr';
import { codesOfferQuery, confirmCodes } from '../../api/second-factor.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { FormDialog } from '../../shell/unsaved.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

interface SetUpCodesProps {
  onAdded(added: AddedFactor): void;
  onClose(): void;
}

export default function SetUpCodes({ onAdded, onClose }: SetUpCodesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(codesOfferQuery);
  return (
    <FormDialog opened onClose={onClose} title={t('secondFactor.setUpCodes')}>
      {data ? (
        <CodeForm offer={data} onAdded={onAdded} onClose={onClose} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={300} />
      )}
    </FormDialog>
  );
}

function CodeForm({ offer, onAdded, onClose }: SetUpCodesProps & { offer: CodesOffer }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { code: '' }, validate: { code: validators(t).required(20) } });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    ({ code }: { code: string }) => confirmCodes({ token: offer.token, code }),
    onAdded,
  );
  const picture = `data:image/svg+xml,${encodeURIComponent(encode(offer.uri, 'svg'))}`;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
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
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label={t('secondFactor.code')}
          description={t('secondFactor.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('secondFactor.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
