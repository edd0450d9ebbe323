import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EndpointDetails } from '@store-sales/contract/console';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { endpointQuery, endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { countName } from './words.ts';

interface EndpointProps {
  storeId: string;
  of: EndpointDetails;
}

const enable = (storeId: string, endpointId: string, sendMissed: boolean) =>
  call('POST /stores/{storeId}/webhooks/{endpointId}/enable', {
    params: { storeId, endpointId },
    body: { sendMissed },
  });

/** Updates the cached endpoint and reloads its lists. */
function useUpdateEndpoint(storeId: string) {
  const queryClient = useQueryClient();
  return (changed: EndpointDetails) => {
    queryClient.setQueryData(endpointQuery(storeId, changed.id).queryKey, changed);
    return Promise.all([
      queryClient.invalidateQueries(endpointsQuery(storeId)),
      queryClient.invalidateQueries({ queryKey: [{ storeId, endpointId: changed.id }] }),
    ]);
  };
}

export function EnableButton({ storeId, of: endpoint }: EndpointProps) {
  const { t } = useTranslation();
  const updateEndpoint = useUpdateEndpoint(storeId);
  const [isConfirming, { open, close }] = useDisclosure(false);
  const { id: endpointId, isActive } = endpoint;
  return (
    <>
      <Button variant={isActive ? 'default' : 'filled'} onClick={open}>
        {isActive ? t('webhooks.disable') : t('webhooks.enable')}
      </Button>
      {isConfirming &&
        (isActive ? (
          <Confirm
            title={t('webhooks.disableTitle')}
            text={t('webhooks.disableText')}
            action={t('webhooks.disable')}
            run={() =>
              call('POST /stores/{storeId}/webhooks/{endpointId}/disable', { params: { storeId, endpointId } })
            }
            onDone={(changed) => {
              notify(t('webhooks.disabledDone'));
              return updateEndpoint(changed);
            }}
            onClose={close}
          />
        ) : (
          <EnableDialog storeId={storeId} of={endpoint} onClose={close} />
        ))}
    </>
  );
}

function EnableDialog({ storeId, of: endpoint, onClose }: EndpointProps & { onClose(): void }) {
  const { t, language } = useTranslation();
  const updateEndpoint = useUpdateEndpoint(storeId);
  const [sendsMissed, setSendsMissed] = useState(true);
  const hasMissed = endpoint.missed.count > 0;
  return (
    <Confirm
      title={t('webhooks.enableTitle')}
      text={t('webhooks.enableText')}
      action={t('webhooks.enable')}
      isDangerous={false}
      run={() => enable(storeId, endpoint.id, hasMissed && sendsMissed)}
      onDone={(changed) => {
        notify(t('webhooks.enabledDone'));
        return updateEndpoint(changed);
      }}
      onClose={onClose}
    >
      {hasMissed && (
        <Checkbox
          checked={sendsMissed}
          onChange={(event) => setSendsMissed(event.currentTarget.checked)}
          label={t('webhooks.sendMissed', { count: countName(endpoint.missed, t, language) })}
          description={t('webhooks.sendMissedHint')}
        />
      )}
    </Confirm>
  );
}

/** Why the endpoint is disabled or failing, and what to do. */
export function EndpointAlert({ storeId, of: endpoint }: EndpointProps) {
  const { t, language } = useTranslation();
  const { dateTime } = useDates();
  const may = useMay();
  const { isActive, disabledReason, disabledAt, failures, failingSince, missed } = endpoint;
  const count = countName(missed, t, language);
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
  const count = countName(endpoint.missed, t, language);
  const send = useAction(
    () => enable(storeId, endpoint.id, true),
    (changed) => {
      notify(t('webhooks.missedSent'));
      return updateEndpoint(changed);
    },
  );
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
