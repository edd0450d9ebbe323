import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Endpoint } from '@store-sales/contract/console';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { LinkButton, TextLink } from '../../shell/link.tsx';
import { Loaded } from '../../shell/loaded.tsx';
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
      <LinkButton variant="default" to="/stores/$storeId/settings/webhooks/signature" params={{ storeId: store.id }}>
        {t('webhooks.signatureHelper')}
      </LinkButton>
      {!!endpoints.data?.length && addButton}
    </Group>
  );

  return (
    <Page title={t('nav.webhooks')} text={t('webhooks.text')} action={hasWebhooks && actions}>
      {!hasWebhooks ? (
        <PlanRequired title={t('webhooks.planTitle')} storeId={store.id} />
      ) : (
        <Loaded query={endpoints}>
          {(data) =>
            data.length ? (
              <Stack gap="md">
                {data.map((endpoint) => (
                  <Card key={endpoint.id} storeId={store.id} of={endpoint} />
                ))}
              </Stack>
            ) : (
              <EmptyState
                icon={IconWebhook}
                title={t('webhooks.emptyTitle')}
                text={mayChange ? t('webhooks.emptyText') : ''}
              >
                {mayChange && addButton}
              </EmptyState>
            )
          }
        </Loaded>
      )}
      {isAdding && <AddEndpoint storeId={store.id} onClose={close} />}
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
          <TextLink
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
            to="/stores/$storeId/settings/webhooks/$endpointId"
            params={{ storeId, endpointId: endpoint.id }}
          >
            {endpoint.url}
          </TextLink>
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
