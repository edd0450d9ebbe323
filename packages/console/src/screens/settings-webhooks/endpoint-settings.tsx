import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { EndpointDetails } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeEndpoint, endpointQuery, endpointsQuery, rotateSecret } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { sendChanges } from '../../shell/conflict.ts';
import { useDates } from '../../shell/dates.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { FormDialog } from '../../shell/unsaved.tsx';
import { useMay } from '../../shell/use-may.ts';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { eventName } from './words.ts';

export function EndpointSettings({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const mayChange = useMay()('changeWebhooks');
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={t('webhooks.settings')}
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
              <Badge key={event} variant="default" tt="none" fw={500} size="lg" radius="sm">
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
      <FormDialog opened={isEditing} onClose={close} size="lg" fullScreen={isPhone} title={t('webhooks.editTitle')}>
        <EndpointForm
          initial={{ url: endpoint.url, events: endpoint.events }}
          action={t('common.save')}
          send={(values, before) =>
            sendChanges(before, values, endpoint, (changed) => changeEndpoint(storeId, endpoint.id, changed))
          }
          onDone={(changed) => {
            queryClient.setQueryData(endpointQuery(storeId, endpoint.id).queryKey, changed);
            void queryClient.invalidateQueries(endpointsQuery(storeId));
            notify(t('common.saved'));
            close();
          }}
          onCancel={close}
        />
      </FormDialog>
    </Panel>
  );
}

const Part = ({ name, children }: { name: string; children: React.ReactNode }) => (
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
  const rotation = useMutation({
    mutationFn: () => rotateSecret(storeId, endpoint.id),
    onSuccess() {
      close();
      return queryClient.invalidateQueries(endpointQuery(storeId, endpoint.id));
    },
  });
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
      <Confirm
        isOpen={isConfirming}
        title={t('webhooks.rotateTitle')}
        text={t('webhooks.rotateText')}
        action={t('webhooks.rotate')}
        isBusy={rotation.isPending}
        problem={rotation.error ? explain(rotation.error, t) : undefined}
        onConfirm={() => rotation.mutate()}
        onClose={close}
      />
      <SecretDialog
        isOpen={!isConfirming && rotation.data !== undefined}
        title={t('webhooks.secretTitle')}
        secret={{
          title: t('webhooks.secretTitle'),
          texts: [t('webhooks.secretText'), t('webhooks.rotatedText')],
          fields: [{ label: t('webhooks.secret'), value: rotation.data?.secret ?? '', testId: 'signing-secret' }],
        }}
        onClose={rotation.reset}
      />
    </Group>
  );
}
