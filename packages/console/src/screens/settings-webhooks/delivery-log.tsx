import { Accordion, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { Delivery, DeliveryFilter, DeliveryPage, EndpointDetails } from '@store-sales/contract/console';
import { deliveredTypes, deliveryStatuses } from '@store-sales/contract/values';
import { IconMailbox, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { pagesQuery } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Select } from '../../shell/select.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryBadge } from './delivery-badge.tsx';
import { ResendAll } from './resend-all.tsx';
import { eventName } from './words.ts';

interface LogProps {
  storeId: string;
  of: EndpointDetails;
}

/** The filters are in the URL. */
export function DeliveryLog({ storeId, of: endpoint }: LogProps) {
  const { t } = useTranslation();
  const may = useMay();
  const filter = useSearch({ from: '/signed-in/stores/$storeId/settings/webhooks/$endpointId' });
  const log = useInfiniteQuery({
    ...pagesQuery('GET /stores/{storeId}/webhooks/{endpointId}/deliveries', {
      params: { storeId, endpointId: endpoint.id },
      query: filter,
    }),
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
    // Polls while an attempt is running or due.
    refetchInterval: ({ state }) => (state.data?.pages.some(hasDueAttempt) ? 2000 : false),
  });
  const isFiltered = Object.values(filter).some(Boolean);

  return (
    <Box component="section" aria-label={t('webhooks.log')}>
      <Filters
        filter={filter}
        action={may('changeWebhooks') && <ResendAll storeId={storeId} of={endpoint} filter={filter} />}
      />
      <Loaded query={log}>
        {(deliveries) =>
          deliveries.length ? (
            <Accordion className="panel" chevronPosition="left" variant="default" keepMounted={false}>
              {deliveries.map((delivery) => (
                <Row key={delivery.id} storeId={storeId} endpoint={endpoint} of={delivery} />
              ))}
            </Accordion>
          ) : (
            !log.hasNextPage && (
              <EmptyState
                icon={isFiltered ? IconSearch : IconMailbox}
                title={isFiltered ? t('common.noResults') : t('webhooks.noneTitle')}
                text={isFiltered ? t('webhooks.noMatchText') : t('webhooks.noneText')}
              />
            )
          )
        }
      </Loaded>
      <ShowMore query={log} />
    </Box>
  );
}

const hasDueAttempt = ({ deliveries }: DeliveryPage) =>
  deliveries.some(
    ({ status, nextAttemptAt }) =>
      status === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + 2000),
  );

function Filters({ filter, action }: { filter: DeliveryFilter; action: React.ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/stores/$storeId/settings/webhooks/$endpointId' });
  const [order, setOrder] = useState(filter.order ?? '');
  const set = (change: { [Name in keyof DeliveryFilter]?: string | undefined }) =>
    void navigate({
      search: (previous) => ({ ...previous, ...change }) as DeliveryFilter,
      replace: true,
      resetScroll: false,
    });
  const search = useDebouncedCallback((text: string) => set({ order: text.trim() || undefined }), 300);
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <Select
        label={t('webhooks.state')}
        placeholder={t('webhooks.anyState')}
        clearable
        clearLabel={t('common.clearFilters')}
        w={{ base: '100%', xs: 170 }}
        data={deliveryStatuses.map((value) => ({ value, label: t(`webhooks.states.${value}`) }))}
        value={filter.status ?? null}
        onChange={(value) => set({ status: value ?? undefined })}
      />
      <Select
        label={t('webhooks.eventType')}
        placeholder={t('webhooks.anyEvent')}
        clearable
        clearLabel={t('common.clearFilters')}
        w={{ base: '100%', xs: 210 }}
        data={deliveredTypes.map((value) => ({ value, label: eventName(value, t) }))}
        value={filter.type ?? null}
        onChange={(value) => set({ type: value ?? undefined })}
      />
      <TextInput
        label={t('orders.number')}
        placeholder={t('webhooks.orderPlaceholder')}
        w={{ base: '100%', xs: 170 }}
        maxLength={255}
        value={order}
        onChange={(event) => {
          setOrder(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <Box ml="auto">{action}</Box>
    </Group>
  );
}

function Row({ storeId, endpoint, of: delivery }: { storeId: string; endpoint: EndpointDetails; of: Delivery }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const order = delivery.order && `#${delivery.order.number ?? delivery.order.id}`;
  return (
    <Accordion.Item value={delivery.id} style={{ borderColor: 'var(--console-border)' }}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" wrap="wrap">
          <Box miw={0}>
            <Text size="sm" fw={500}>
              {eventName(delivery.type, t)}{' '}
              {order && (
                <Text span c="dimmed">
                  {order}
                </Text>
              )}
            </Text>
            <Text size="sm" c="dimmed">
              {dateTime(delivery.createdAt)}
            </Text>
          </Box>
          <DeliveryBadge delivery={delivery} />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          <Attempts of={delivery} />
          {delivery.nextAttemptAt && (
            <Text size="sm">{t('webhooks.nextAttempt', { when: dateTime(delivery.nextAttemptAt) })}</Text>
          )}
          <Group justify="space-between" align="flex-end">
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('webhooks.deliveryId')}: {delivery.id}
              <br />
              {t('webhooks.eventId')}: {delivery.eventId}
            </Text>
            <Resend storeId={storeId} endpoint={endpoint} of={delivery} />
          </Group>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Resend({ storeId, endpoint, of: delivery }: { storeId: string; endpoint: EndpointDetails; of: Delivery }) {
  const { t } = useTranslation();
  const may = useMay();
  const queryClient = useQueryClient();
  const params = { storeId, endpointId: endpoint.id };
  const resend = useAction(
    () =>
      call('POST /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}/resend', {
        params: { ...params, deliveryId: delivery.id },
      }),
    () => {
      notify(t('orders.resent'));
      return queryClient.invalidateQueries({ queryKey: [params] });
    },
  );
  if (!may('changeWebhooks')) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={resend.isPending}
      disabled={!endpoint.isActive}
      {...(!endpoint.isActive && { title: t('webhooks.enableFirst') })}
      onClick={() => resend.mutate()}
    >
      {t('orders.resend')}
    </Button>
  );
}
