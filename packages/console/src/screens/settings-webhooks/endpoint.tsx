import { Anchor, Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { EndpointDetails } from '@store-sales/contract/console';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { endpointQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { ErrorState } from '../../shell/error-state.tsx';
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
  const { data, error, refetch } = useQuery(endpointQuery(storeId, endpointId));
  if (data) return <Loaded key={data.id} storeId={storeId} of={data} />;
  return (
    <Page title={t('webhooks.title')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack className="panel" p="lg" gap="md" role="status" aria-label={t('common.loading')}>
          <Skeleton h={18} w="50%" />
          <Skeleton h={48} />
        </Stack>
      )}
    </Page>
  );
}

function Loaded({ storeId, of: endpoint }: { storeId: string; of: EndpointDetails }) {
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
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/stores/$storeId/settings/webhooks" params={{ storeId }} {...props} />}
        >
          <Group gap={4} component="span">
            <IconArrowLeft size={15} aria-hidden /> {t('webhooks.back')}
          </Group>
        </Anchor>
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
