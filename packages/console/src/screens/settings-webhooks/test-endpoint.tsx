import { Alert, Button, Loader } from '@mantine/core';
import type { Delivery } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { endpointQuery, pingEndpoint, readDelivery } from '../../api/webhooks.ts';
import { explain } from '../../shell/explain.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { AnswerText } from './attempts.tsx';
import { failureName } from './words.ts';

/** A receiver has 10 seconds; somewhat longer is waited for the word of it. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 300;

/** Sends a test and asks until its first attempt has ended. */
async function sendTest(storeId: string, id: string): Promise<Delivery> {
  const { deliveryId } = await pingEndpoint(storeId, id);
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const delivery = await readDelivery(storeId, id, deliveryId);
    if (delivery.attempts.length || Date.now() > end) return delivery;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

export function useTest(storeId: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendTest(storeId, id),
    onSettled: () => queryClient.invalidateQueries(endpointQuery(storeId, id)),
  });
}

type Test = ReturnType<typeof useTest>;

export function TestButton({ test }: { test: Test }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {t('webhooks.test')}
    </Button>
  );
}

/** What came of the test, at once and in place. */
export function TestOutcome({ test: { isPending, error, data, reset } }: { test: Test }) {
  const { t } = useTranslation();
  if (isPending)
    return (
      <Alert variant="default" icon={<Loader size={16} />} role="status">
        {t('webhooks.testWaiting')}
      </Alert>
    );
  if (error) return <ProblemAlert>{explain(error, t)}</ProblemAlert>;
  if (!data) return null;
  const attempt = data.attempts.at(-1);
  const values = { ms: attempt?.durationMs ?? 0, status: attempt?.responseStatus ?? 0 };
  return (
    <Alert
      variant="default"
      title={t('webhooks.testTitle')}
      role="status"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={reset}
      style={{
        borderLeft: `3px solid var(--mantine-color-${!attempt ? 'gray' : attempt.error ? 'red' : 'teal'}-6)`,
      }}
    >
      {!attempt
        ? t('webhooks.testLate')
        : attempt.error
          ? t('webhooks.testBad', { ...values, why: failureName(attempt.error, t) })
          : t('webhooks.testGood', values)}
      {attempt && <AnswerText of={attempt} />}
    </Alert>
  );
}
