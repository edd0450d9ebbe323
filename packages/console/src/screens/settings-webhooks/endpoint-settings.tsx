import { Badge, Box, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { EndpointDetails } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeEndpoint, endpointQuery, endpointsQuery, rotateSecret } from '../../api/webhooks.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { Panel } from '../../shell/panel.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { eventName } from './words.ts';

/** Address, events and signing secret. */
export function EndpointSettings({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={t('webhooks.settings')}
      action={
        <Button variant="default" size="xs" onClick={open}>
          {t('webhooks.edit')}
        </Button>
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
        <Part name={t('webhooks.secret')}>
          <Secret storeId={storeId} of={endpoint} />
        </Part>
      </Stack>
      <Modal
        opened={isEditing}
        onClose={close}
        size="lg"
        fullScreen={isPhone}
        title={t('webhooks.editTitle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <EndpointForm
          initial={{ url: endpoint.url, events: endpoint.events }}
          action={t('common.save')}
          send={(values) => changeEndpoint(storeId, endpoint.id, values)}
          onDone={(changed) => {
            queryClient.setQueryData(endpointQuery(storeId, endpoint.id).queryKey, changed);
            void queryClient.invalidateQueries(endpointsQuery(storeId));
            notify(t('common.saved'));
            close();
          }}
          onCancel={close}
        />
      </Modal>
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
  const { dateTime } = useFormats();
  const queryClient = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
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
        isOpen={isAsking}
        title={t('webhooks.rotateTitle')}
        text={t('webhooks.rotateText')}
        action={t('webhooks.rotate')}
        isBusy={rotation.isPending}
        problem={rotation.error ? explain(rotation.error, t) : undefined}
        onConfirm={() => rotation.mutate()}
        onClose={close}
      />
      <Modal
        opened={!isAsking && rotation.data !== undefined}
        onClose={rotation.reset}
        size="lg"
        title={t('webhooks.secretTitle')}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <SigningSecret
          secret={rotation.data?.secret ?? ''}
          text={t('webhooks.rotatedText')}
          onDone={() => rotation.reset()}
        />
      </Modal>
    </Group>
  );
}
