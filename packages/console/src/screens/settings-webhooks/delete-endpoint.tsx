import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EndpointDetails } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';

export function DeleteEndpoint({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isConfirming, { open, close }] = useDisclosure(false);
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" maw={520}>
        {t('webhooks.deleteHint')}
      </Text>
      <Button variant="default" size="xs" c="var(--mantine-color-error)" onClick={open}>
        {t('webhooks.delete')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('webhooks.deleteTitle')}
          text={t('webhooks.deleteText', { url: endpoint.url })}
          action={t('webhooks.delete')}
          run={() =>
            call('DELETE /stores/{storeId}/webhooks/{endpointId}', { params: { storeId, endpointId: endpoint.id } })
          }
          onDone={async () => {
            notify(t('webhooks.deleted'));
            await navigate({ to: '/stores/$storeId/settings/webhooks', params: { storeId } });
            await queryClient.invalidateQueries(endpointsQuery(storeId));
          }}
          onClose={close}
        />
      )}
    </Group>
  );
}
