import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Endpoint } from '@store-sales/contract/console';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { PlanRequired } from '../../shell/plan-required.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { Health } from './health.tsx';
import { eventName } from './words.ts';

export function Webhooks() {
  const { t } = useTranslation();
  const store = useStore();
  const hasWebhooks = store.plan === 'optimal';
  const endpoints = useQuery({ ...endpointsQuery(store.id), enabled: hasWebhooks });
  const [isAdding, { open, close }] = useDisclosure(false);
  const mayChange = useMay()('changeWebhooks');
  const addButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {t('webhooks.add')}
    </Button>
  );
  const actions = mayChange && (
    <Group gap="sm">
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/stores/$storeId/settings/webhooks/signature" params={{ storeId: store.id }} {...props} />
        )}
      >
        {t('webhooks.signatureHelper')}
      </Button>
      {!!endpoints.data?.length && addButton}
    </Group>
  );

  return (
    <Page title={t('webhooks.title')} text={t('webhooks.text')} action={hasWebhooks && actions}>
      {!hasWebhooks ? (
        <PlanRequired title={t('webhooks.planTitle')} storeId={store.id} />
      ) : endpoints.error && !endpoints.data ? (
        <ErrorState error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      ) : !endpoints.data ? (
        <Stack className="panel" p="lg" gap="md" role="status" aria-label={t('common.loading')}>
          <Skeleton h={18} w="50%" />
          <Skeleton h={48} />
        </Stack>
      ) : endpoints.data.length ? (
        <Stack gap="md">
          {endpoints.data.map((endpoint) => (
            <Card key={endpoint.id} storeId={store.id} of={endpoint} />
          ))}
        </Stack>
      ) : (
        <EmptyState icon={IconWebhook} title={t('webhooks.emptyTitle')} text={mayChange ? t('webhooks.emptyText') : ''}>
          {mayChange && addButton}
        </EmptyState>
      )}
      <AddEndpoint storeId={store.id} isOpen={isAdding} onClose={close} />
    </Page>
  );
}

function Card({ storeId, of: endpoint }: { storeId: string; of: Endpoint }) {
  const { t } = useTranslation();
  return (
    <Box component="article" className="panel" aria-label={endpoint.url}>
      <Group
        className="panel-part"
        px={{ base: 'md', sm: 'lg' }}
        py="md"
        justify="space-between"
        wrap="nowrap"
        align="flex-start"
      >
        <Box miw={0}>
          <Text
            fw={600}
            c="var(--mantine-color-anchor)"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => (
              <Link
                to="/stores/$storeId/settings/webhooks/$endpointId"
                params={{ storeId, endpointId: endpoint.id }}
                {...props}
              />
            )}
          >
            {endpoint.url}
          </Text>
          <Text size="sm" c="dimmed" mt={2}>
            {endpoint.events.map((event) => eventName(event, t)).join(' · ')}
          </Text>
        </Box>
        <EndpointState of={endpoint} />
      </Group>
      <Box className="panel-part" px={{ base: 'md', sm: 'lg' }} py="md">
        <Health of={endpoint.health} />
      </Box>
    </Box>
  );
}
