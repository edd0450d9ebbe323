import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { EndpointDetails } from '@store-sales/contract/console';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { TextLink } from '../../shell/link.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EnableButton, EndpointAlert } from './enable-endpoint.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { Health } from './health.tsx';
import { TestButton, TestResult, useTest } from './test-endpoint.tsx';

export function EndpointPage() {
  const { t } = useTranslation();
  const { storeId, endpointId } = useParams({ from: '/signed-in/stores/$storeId/settings/webhooks/$endpointId' });
  const endpoint = useQuery(endpointQuery(storeId, endpointId));
  if (endpoint.data) return <Details key={endpointId} storeId={storeId} of={endpoint.data} />;
  return (
    <Page title={t('nav.webhooks')}>
      <Loaded query={endpoint}>{() => null}</Loaded>
    </Page>
  );
}

function Details({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
  const { t } = useTranslation();
  const mayChange = useMay()('changeWebhooks');
  const test = useTest(storeId, endpoint.id);
  return (
    <Page
      title={new URL(endpoint.url).host}
      action={
        mayChange && (
          <Group gap="sm">
            <TestButton test={test} />
            <EnableButton storeId={storeId} of={endpoint} />
          </Group>
        )
      }
    >
      <Group gap="md" mt={-16}>
        <TextLink size="sm" to="/stores/$storeId/settings/webhooks" params={{ storeId }}>
          <Group gap={4} component="span">
            <IconArrowLeft size={15} aria-hidden /> {t('webhooks.back')}
          </Group>
        </TextLink>
        <EndpointState of={endpoint} />
      </Group>
      <TestResult test={test} />
      <EndpointAlert storeId={storeId} of={endpoint} />
      <Panel title={t('webhooks.health')}>
        <Health of={endpoint.health} />
      </Panel>
      <EndpointSettings storeId={storeId} of={endpoint} />
      {endpoint.notices.length > 0 && <Notices of={endpoint} />}
      <Box>
        <Title order={2} fz="lg">
          {t('webhooks.log')}
        </Title>
        <Text c="dimmed" size="sm" mb="md">
          {t('webhooks.logText')}
        </Text>
        <DeliveryLog storeId={storeId} of={endpoint} />
      </Box>
    </Page>
  );
}

function Notices({ of: { notices } }: { of: EndpointDetails }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  return (
    <Panel title={t('webhooks.notices')}>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {notices.map(({ kind, failures, at }) => (
          <Group key={`${kind}${at}`} component="li" justify="space-between" gap="xs">
            <Text size="sm">{t(`webhooks.notice.${kind}`, { failures })}</Text>
            <Text size="sm" c="dimmed">
              {dateTime(at)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
