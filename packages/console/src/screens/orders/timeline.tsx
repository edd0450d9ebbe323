import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { OrderDelivery, OrderDetails, TimelineEntry } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { orderQuery, resendDelivery } from '../../api/orders.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { Panel } from '../../shell/panel.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from './formats.ts';
import classes from './timeline.module.css';

/** What happened to the order, by whom, and which endpoints were told of it. */
export function Timeline({ paper }: { paper: OrderDetails }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('orders.timeline')}>
      <Stack component="ol" gap="lg" m={0} p={0} className={classes.list ?? ''}>
        {paper.timeline.map((event) => (
          <Happening key={event.id} event={event} orderId={paper.order.id} />
        ))}
      </Stack>
    </Panel>
  );
}

function Happening({ event, orderId }: { event: TimelineEntry; orderId: string }) {
  const { t } = useTranslation();
  const { moment } = useOrderFormats();
  const { kind, name } = event.actor;
  const named = (status: TimelineEntry['from']) => (status ? statusName(status, t) : '');
  const actor =
    kind === 'system'
      ? t('orders.bySystem')
      : t(kind === 'key' ? 'orders.byKey' : 'orders.byOwner', { name: name || t('orders.gone') });
  return (
    <Box component="li" className={classes.entry ?? ''}>
      <Text size="sm" fw={500}>
        {event.type === 'order.edited'
          ? event.edited.map((part) => t(`orders.edited.${part}`)).join(' · ')
          : t(`orders.event.${event.type}`, { from: named(event.from), to: named(event.to) })}
      </Text>
      <Text size="sm" c="dimmed">
        {moment(event.at)} · {actor}
      </Text>
      {event.deliveries.length > 0 && (
        <Stack gap="xs" mt="xs">
          {event.deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} orderId={orderId} />
          ))}
        </Stack>
      )}
    </Box>
  );
}

const colours = { pending: 'blue', delivered: 'teal', failed: 'red', stopped: 'orange', skipped: 'gray' } as const;

function Delivery({ delivery, orderId }: { delivery: OrderDelivery; orderId: string }) {
  const { t } = useTranslation();
  const { moment } = useOrderFormats();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => resendDelivery(storeId, delivery.id),
    onSuccess() {
      notify(t('orders.resent'));
      return queryClient.invalidateQueries({ queryKey: orderQuery(storeId, orderId).queryKey });
    },
    onError: (error) => notify(explain(error, t), false),
  });
  const last = delivery.attempts.at(-1);
  const facts = [
    delivery.attempts.length > 0 && t('orders.attempts', { count: delivery.attempts.length }),
    last?.responseStatus && t('orders.lastAnswer', { status: last.responseStatus, duration: last.durationMs }),
    last?.error,
    delivery.nextAttemptAt &&
      delivery.attempts.length > 0 &&
      t('orders.nextAttempt', { when: moment(delivery.nextAttemptAt) }),
    !delivery.canResend && t('orders.endpointOff'),
  ].filter(Boolean);
  return (
    <Group justify="space-between" gap="sm" align="flex-start" className="code-box">
      <Box miw={0} flex="1 1 240px">
        <Group gap="xs">
          <Text size="sm">{t('orders.webhook')}</Text>
          <Badge variant="dot" color={colours[delivery.status]} tt="none" fw={500} fz="xs">
            {t(`orders.delivered.${delivery.status}`)}
          </Badge>
        </Group>
        <Text className="code-text" c="dimmed">
          {delivery.url}
        </Text>
        {facts.length > 0 && (
          <Text size="xs" c="dimmed" mt={2}>
            {facts.join(' · ')}
          </Text>
        )}
      </Box>
      {delivery.canResend && delivery.status !== 'pending' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending}
          onClick={() => mutate()}
          aria-label={t('orders.resendTo', { url: delivery.url })}
          style={{ flex: 'none' }}
        >
          {t('orders.resend')}
        </Button>
      )}
    </Group>
  );
}
