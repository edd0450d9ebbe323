import { Button, Stack } from '@mantine/core';
import type { ProofRequest } from '@store-sales/contract/console';
import { type ComponentType, useState } from 'react';
import { call } from '../api/client.ts';
import { loadTexts, useTranslation } from '../i18n/index.ts';
import { explain } from './explain.ts';
import type { ProofFormProps } from './proof-form.tsx';

/** The second step of a sign-in: what `request` shows in place of the form with the password. */
export function useSecondStep(onDone: () => unknown) {
  const { t } = useTranslation();
  const [step, setStep] = useState<{ request: ProofRequest; Form: ComponentType<ProofFormProps> }>();
  const [expiry, setExpiry] = useState<string>();

  async function request(request: ProofRequest) {
    const [{ ProofForm }] = await Promise.all([import('./proof-form.tsx'), loadTexts('secondFactor')]);
    setExpiry(undefined);
    setStep({ request, Form: ProofForm });
  }
  const back = () => setStep(undefined);
  const element = step && (
    <Stack>
      <step.Form
        request={step.request}
        send={(body) => call('POST /session/second-factor', { body })}
        onDone={onDone}
        onExpired={(error) => {
          setExpiry(explain(error, t));
          back();
        }}
      />
      <Button variant="subtle" onClick={back}>
        {t('secondFactor.back')}
      </Button>
    </Stack>
  );
  return { request, element, problem: expiry };
}
