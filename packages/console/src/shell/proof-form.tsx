import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { Proof, ProofMethod, ProofRequest } from '@store-sales/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, call } from '../api/client.ts';
import { FORM_QUERY, query } from '../api/query.ts';
import { assertionOf } from '../api/second-factor.ts';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import { explain } from './explain.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { SecretInput } from './secret-input.tsx';

type TypedMethod = Exclude<ProofMethod, 'passkey'>;

export interface ProofFormProps {
  request: ProofRequest;
  send(proof: Proof): Promise<unknown>;
  onDone(): unknown;
  /** The request is too old, and has to be made again. */
  onExpired(error: unknown): void;
}

const fields = { code: 'code', recovery_code: 'recoveryCode', password: 'password' } as const;
const expired = ['offer_expired', 'sign_in_expired'];

/** Proves that it is the person: with a passkey, a code, a recovery code or, without a second factor, the password. */
export function ProofForm({ request, send, onDone, onExpired }: ProofFormProps) {
  const { t } = useTranslation();
  const { token, passkey } = request;
  const typed = request.methods.filter((method): method is TypedMethod => method !== 'passkey');
  const [method, setMethod] = useState(typed[0]);
  const [value, setValue] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const proving = useMutation({
    mutationFn: async (given: 'passkey' | 'typed') => {
      if (given === 'typed' && method) return send({ token, [fields[method]]: value.trim() });
      if (passkey) return send({ token, passkey: await assertionOf(passkey) });
    },
    onSuccess: onDone,
    onError(error) {
      if (error instanceof ApiError && expired.includes(error.code)) return onExpired(error);
      input.current?.select();
    },
  });
  // The browser rejects with an error of its own if the person cancels, or has no such passkey here.
  const problem =
    proving.error && (proving.error instanceof ApiError ? explain(proving.error, t) : t('secondFactor.passkeyFailed'));

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (value.trim() && !proving.isPending) proving.mutate('typed');
  }
  const shared = {
    ref: input,
    value,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
    'data-autofocus': true,
    autoFocus: true,
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem ?? undefined}</ProblemAlert>
        {passkey && (
          <Button
            variant={method === 'recovery_code' ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={18} />}
            loading={proving.isPending && proving.variables === 'passkey'}
            onClick={() => proving.mutate('passkey')}
            fullWidth
          >
            {t('secondFactor.usePasskey')}
          </Button>
        )}
        {method === 'code' && (
          <TextInput
            {...shared}
            label={t('secondFactor.code')}
            description={t('secondFactor.codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
          />
        )}
        {method === 'recovery_code' && (
          <TextInput
            {...shared}
            label={t('secondFactor.recoveryCode')}
            description={t('secondFactor.recoveryCodeHint')}
            autoComplete="off"
            maxLength={60}
          />
        )}
        {method === 'password' && (
          <SecretInput {...shared} label={t('signIn.password')} autoComplete="current-password" maxLength={200} />
        )}
        {method ? (
          <Button
            type="submit"
            variant={passkey ? 'default' : 'filled'}
            fullWidth
            loading={proving.isPending && proving.variables === 'typed'}
          >
            {t('secondFactor.submit')}
          </Button>
        ) : (
          !passkey && <Text size="sm">{t('secondFactor.none')}</Text>
        )}
        {typed
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              variant="subtle"
              onClick={() => {
                setValue('');
                setMethod(other);
              }}
            >
              {t(other === 'code' ? 'secondFactor.insteadCode' : 'secondFactor.insteadRecovery')}
            </Button>
          ))}
      </Stack>
    </form>
  );
}

export interface VerificationFormProps {
  onClose(isVerified: boolean): void;
}

/** A dialog over the page for a request that needs a confirmation. */
export function VerificationForm({ onClose }: VerificationFormProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...query('POST /session/verify/start'), ...FORM_QUERY });
  return (
    <Dialog onClose={() => onClose(false)} title={t('secondFactor.verifyTitle')} closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{t('secondFactor.verifyText')}</Text>
        {data ? (
          <ProofForm
            key={data.token}
            request={data}
            send={(body) => call('POST /session/verify', { body })}
            onDone={() => onClose(true)}
            onExpired={() => void refetch()}
          />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton h={100} />
        )}
      </Stack>
    </Dialog>
  );
}
