import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import type { EndpointDetails } from '@store-sales/contract/console';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { disableEndpoint, enableEndpoint, endpointQuery, endpointsQuery } from '../../api/webhooks.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { countName } from './words.ts';

interface SwitchProps {
  storeId: string;
  of: EndpointDetails;
}

/** Takes a change of the endpoint into what is shown of it, its log included. */
function useChanged(storeId: string) {
  const queryClient = useQueryClient();
  return (changed: EndpointDetails) => {
    queryClient.setQueryData(endpointQuery(storeId, changed.id).queryKey, changed);
    return queryClient.invalidateQueries({ queryKey: endpointsQuery(storeId).queryKey });
  };
}

/** Off or on; on with the choice to send what was missed. */
export function SwitchButton({ storeId, of: endpoint }: SwitchProps) {
  const { t } = useTranslation();
  const onChanged = useChanged(storeId);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const off = useMutation({
    mutationFn: () => disableEndpoint(storeId, endpoint.id),
    onSuccess(changed) {
      close();
      notify(t('webhooks.switchedOff'));
      return onChanged(changed);
    },
  });
  return (
    <>
      <Button variant={endpoint.isActive ? 'default' : 'filled'} onClick={() => setAsking(true)}>
        {endpoint.isActive ? t('webhooks.switchOff') : t('webhooks.switchOn')}
      </Button>
      <Confirm
        isOpen={isAsking && endpoint.isActive}
        title={t('webhooks.switchOffTitle')}
        text={t('webhooks.switchOffText')}
        action={t('webhooks.switchOff')}
        isBusy={off.isPending}
        problem={off.error ? explain(off.error, t) : undefined}
        onConfirm={() => off.mutate()}
        onClose={close}
      />
      <SwitchOn storeId={storeId} of={endpoint} isOpen={isAsking && !endpoint.isActive} onClose={close} />
    </>
  );
}

function SwitchOn({ storeId, of: endpoint, isOpen, onClose }: SwitchProps & { isOpen: boolean; onClose(): void }) {
  const { t, i18n } = useTranslation();
  const onChanged = useChanged(storeId);
  const [sendsMissed, setSendsMissed] = useState(true);
  const hasMissed = endpoint.missed.count > 0;
  const on = useMutation({
    mutationFn: () => enableEndpoint(storeId, endpoint.id, hasMissed && sendsMissed),
    onSuccess(changed) {
      onClose();
      notify(t('webhooks.switchedOn'));
      return onChanged(changed);
    },
  });
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('webhooks.switchOnTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack>
        <Text size="sm">{t('webhooks.switchOnText')}</Text>
        {hasMissed && (
          <Checkbox
            checked={sendsMissed}
            onChange={(event) => setSendsMissed(event.currentTarget.checked)}
            label={t('webhooks.sendMissed', {
              count: countName(endpoint.missed, t, i18n.language) as unknown as number,
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
            {t('webhooks.switchOn')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Why nothing arrives, or soon may not, and what can be done about it. */
export function Condition({ storeId, of: endpoint }: SwitchProps) {
  const { t, i18n } = useTranslation();
  const { dateTime } = useFormats();
  const { isActive, disabledBy, disabledAt, failures, failingSince, missed } = endpoint;
  const count = countName(missed, t, i18n.language) as unknown as number;
  if (!isActive && disabledBy && disabledAt)
    return (
      <Alert
        variant="default"
        icon={<IconPlugConnectedX />}
        title={t('webhooks.offTitle', { when: dateTime(disabledAt) })}
      >
        {t(`webhooks.off.${disabledBy}`, { failures, since: failingSince ? dateTime(failingSince) : '' })}{' '}
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
      {missed.count > 0 && <Missed storeId={storeId} of={endpoint} />}
    </>
  );
}

/** On again, but what came meanwhile was left: it can still be sent. */
function Missed({ storeId, of: endpoint }: SwitchProps) {
  const { t, i18n } = useTranslation();
  const onChanged = useChanged(storeId);
  const count = countName(endpoint.missed, t, i18n.language) as unknown as number;
  const send = useMutation({
    mutationFn: () => enableEndpoint(storeId, endpoint.id, true),
    onSuccess(changed) {
      notify(t('webhooks.missedSent'));
      return onChanged(changed);
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
