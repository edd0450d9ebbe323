import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { EndpointDetails } from '@store-sales/contract/console';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { disableEndpoint, enableEndpoint, endpointQuery, endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useMay } from '../../shell/use-may.ts';
import { countName } from './words.ts';

interface EndpointProps {
  storeId: string;
  of: EndpointDetails;
}

/** Updates the cached endpoint and reloads its lists. */
function useUpdateEndpoint(storeId: string) {
  const queryClient = useQueryClient();
  return (changed: EndpointDetails) => {
    queryClient.setQueryData(endpointQuery(storeId, changed.id).queryKey, changed);
    return queryClient.invalidateQueries({ queryKey: endpointsQuery(storeId).queryKey });
  };
}

export function EnableButton({ storeId, of: endpoint }: EndpointProps) {
  const { t } = useTranslation();
  const updateEndpoint = useUpdateEndpoint(storeId);
  const [isConfirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  const off = useMutation({
    mutationFn: () => disableEndpoint(storeId, endpoint.id),
    onSuccess(changed) {
      close();
      notify(t('webhooks.disabledDone'));
      return updateEndpoint(changed);
    },
  });
  return (
    <>
      <Button variant={endpoint.isActive ? 'default' : 'filled'} onClick={() => setConfirming(true)}>
        {endpoint.isActive ? t('webhooks.disable') : t('webhooks.enable')}
      </Button>
      <Confirm
        isOpen={isConfirming && endpoint.isActive}
        title={t('webhooks.disableTitle')}
        text={t('webhooks.disableText')}
        action={t('webhooks.disable')}
        isBusy={off.isPending}
        problem={off.error ? explain(off.error, t) : undefined}
        onConfirm={() => off.mutate()}
        onClose={close}
      />
      <EnableDialog storeId={storeId} of={endpoint} isOpen={isConfirming && !endpoint.isActive} onClose={close} />
    </>
  );
}

function EnableDialog({
  storeId,
  of: endpoint,
  isOpen,
  onClose,
}: EndpointProps & { isOpen: boolean; onClose(): void }) {
  const { t, language } = useTranslation();
  const updateEndpoint = useUpdateEndpoint(storeId);
  const [sendsMissed, setSendsMissed] = useState(true);
  const hasMissed = endpoint.missed.count > 0;
  const on = useMutation({
    mutationFn: () => enableEndpoint(storeId, endpoint.id, hasMissed && sendsMissed),
    onSuccess(changed) {
      onClose();
      notify(t('webhooks.enabledDone'));
      return updateEndpoint(changed);
    },
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('webhooks.enableTitle')}>
      <Stack>
        <Text size="sm">{t('webhooks.enableText')}</Text>
        {hasMissed && (
          <Checkbox
            checked={sendsMissed}
            onChange={(event) => setSendsMissed(event.currentTarget.checked)}
            label={t('webhooks.sendMissed', {
              count: countName(endpoint.missed, t, language) as unknown as number,
            })}
            description={t('webhooks.sendMissedHint')}
          />
        )}
        <ProblemAlert>{on.error ? explain(on.error, t) : undefined}</ProblemAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button loading={on.isPending} onClick={() => on.mutate()} data-autofocus>
            {t('webhooks.enable')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Why the endpoint is disabled or failing, and what to do. */
export function EndpointAlert({ storeId, of: endpoint }: EndpointProps) {
  const { t, language } = useTranslation();
  const { dateTime } = useDates();
  const may = useMay();
  const { isActive, disabledReason, disabledAt, failures, failingSince, missed } = endpoint;
  const count = countName(missed, t, language) as unknown as number;
  if (!isActive && disabledReason && disabledAt)
    return (
      <Alert
        variant="default"
        icon={<IconPlugConnectedX />}
        title={t('webhooks.offTitle', { when: dateTime(disabledAt) })}
      >
        {t(`webhooks.off.${disabledReason}`, { failures, since: failingSince ? dateTime(failingSince) : '' })}{' '}
        {missed.count ? t('webhooks.offMissed', { count }) : t('webhooks.offNothing')}
      </Alert>
    );
  return (
    <>
      {failures > 0 && failingSince && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle color="var(--mantine-color-orange-6)" />}
          title={t('webhooks.failingTitle', { when: dateTime(failingSince) })}
        >
          {t('webhooks.failingText', { failures })}
        </Alert>
      )}
      {may('changeWebhooks') && missed.count > 0 && <MissedDeliveries storeId={storeId} of={endpoint} />}
    </>
  );
}

/** Offered when the endpoint was enabled without sending the missed deliveries. */
function MissedDeliveries({ storeId, of: endpoint }: EndpointProps) {
  const { t, language } = useTranslation();
  const updateEndpoint = useUpdateEndpoint(storeId);
  const count = countName(endpoint.missed, t, language) as unknown as number;
  const send = useMutation({
    mutationFn: () => enableEndpoint(storeId, endpoint.id, true),
    onSuccess(changed) {
      notify(t('webhooks.missedSent'));
      return updateEndpoint(changed);
    },
    onError: (error) => notify(explain(error, t), false),
  });
  return (
    <Alert variant="default" title={t('webhooks.missedTitle', { count })}>
      <Group justify="space-between">
        <Text size="sm">{t('webhooks.missedText')}</Text>
        <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t('webhooks.sendMissedNow', { count })}
        </Button>
      </Group>
    </Alert>
  );
}
