import { Alert, Button, Loader } from '@mantine/core';
import type { Delivery } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { ResponseBody } from './attempts.tsx';
import { failureName } from './words.ts';

/** Longer than the 10 s that an attempt may take. */
const TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 300;

/** Sends a test and polls until its first attempt has finished. */
async function sendTest(storeId: string, endpointId: string): Promise<Delivery> {
  const params = { storeId, endpointId };
  const { deliveryId } = await call('POST /stores/{storeId}/webhooks/{endpointId}/ping', { params });
  for (const end = Date.now() + TIMEOUT_MS; ; ) {
    const delivery = await call('GET /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}', {
      params: { ...params, deliveryId },
    });
    if (delivery.attempts.length || Date.now() > end) return delivery;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

export function useTest(storeId: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendTest(storeId, id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [{ storeId, endpointId: id }] }),
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

export function TestResult({ test: { isPending, error, data, reset } }: { test: Test }) {
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
        ? t('webhooks.testPending')
        : attempt.error
          ? t('webhooks.testFailed', { ...values, why: failureName(attempt, t) })
          : t('webhooks.testSucceeded', values)}
      {attempt && <ResponseBody of={attempt} />}
    </Alert>
  );
}
