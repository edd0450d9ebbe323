import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EndpointDetails } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/client.ts';
import { endpointQuery, endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { changedFields, hasChanges } from '../../shell/conflict.ts';
import { useDates } from '../../shell/dates.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { useMay } from '../../shell/use-may.ts';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { eventName } from './words.ts';

export function EndpointSettings({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const mayChange = useMay()('changeWebhooks');
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={t('nav.settings')}
      action={
        mayChange && (
          <Button variant="default" size="xs" onClick={open}>
            {t('common.edit')}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Part name={t('webhooks.url')}>
          <Text className="code-text">{endpoint.url}</Text>
        </Part>
        <Part name={t('webhooks.events')}>
          <Group gap="xs">
            {endpoint.events.map((event) => (
              <Badge key={event} variant="default" size="lg" radius="sm">
                {eventName(event, t)}
              </Badge>
            ))}
          </Group>
        </Part>
        {mayChange && (
          <>
            <Part name={t('webhooks.secret')}>
              <Secret storeId={storeId} of={endpoint} />
            </Part>
            <Part name={t('webhooks.deletion')}>
              <DeleteEndpoint storeId={storeId} of={endpoint} />
            </Part>
          </>
        )}
      </Stack>
      {isEditing && (
        <EndpointForm
          initial={{ url: endpoint.url, events: endpoint.events }}
          title={t('webhooks.editTitle')}
          action={t('common.save')}
          send={async (values, before) =>
            hasChanges(before, values)
              ? call('PATCH /stores/{storeId}/webhooks/{endpointId}', {
                  params: { storeId, endpointId: endpoint.id },
                  body: changedFields(before, values),
                })
              : endpoint
          }
          onDone={(changed) => {
            queryClient.setQueryData(endpointQuery(storeId, endpoint.id).queryKey, changed);
            void queryClient.invalidateQueries(endpointsQuery(storeId));
            notify(t('common.saved'));
            close();
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box>
    <Text size="sm" fw={600} mb={4}>
      {name}
    </Text>
    {children}
  </Box>
);

function Secret({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const queryClient = useQueryClient();
  const [isConfirming, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Box maw={520}>
        <Text size="sm" c="dimmed">
          {t('webhooks.secretHint')}
        </Text>
        {endpoint.previousSecretUntil && (
          <Text size="sm" mt={4}>
            {t('webhooks.previousUntil', { when: dateTime(endpoint.previousSecretUntil) })}
          </Text>
        )}
      </Box>
      <Button variant="default" size="xs" onClick={open}>
        {t('webhooks.rotate')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('webhooks.rotateTitle')}
          text={t('webhooks.rotateText')}
          action={t('webhooks.rotate')}
          run={() =>
            call('POST /stores/{storeId}/webhooks/{endpointId}/rotate', {
              params: { storeId, endpointId: endpoint.id },
            })
          }
          onDone={(rotated) => {
            setSecret(rotated.secret);
            return queryClient.invalidateQueries(endpointQuery(storeId, endpoint.id));
          }}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog
          title={t('webhooks.secretTitle')}
          texts={[t('webhooks.secretText'), t('webhooks.rotatedText')]}
          fields={[{ label: t('webhooks.secret'), value: secret, testId: 'signing-secret' }]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Group>
  );
}
