import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { OrderDelivery, OrderDetails, TimelineEntry } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { orderQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { useMoney } from '../../shell/money.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { DeliveryBadge } from '../settings-webhooks/delivery-badge.tsx';
import { failureName } from '../settings-webhooks/words.ts';
import classes from './timeline.module.css';

/** Events of the order, with their webhook deliveries. */
export function Timeline({ details }: { details: OrderDetails }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('orders.timeline')}>
      <Stack component="ol" gap="lg" m={0} p={0} className={classes.list ?? ''}>
        {details.timeline.map((event) => (
          <Entry key={event.id} event={event} orderId={details.order.id} />
        ))}
      </Stack>
      {details.timeline.at(-1)?.type !== 'order.created' && (
        <Text size="sm" c="dimmed" mt={details.timeline.length ? 'lg' : 0}>
          {t('orders.earlierEvents')}
        </Text>
      )}
    </Panel>
  );
}

function Entry({ event, orderId }: { event: TimelineEntry; orderId: string }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
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
          : event.type === 'order.mailed'
            ? t(event.mail?.isSent ? `orders.mail.${event.mail.kind}` : 'orders.mail.limited')
            : t(`orders.event.${event.type}`, { from: named(event.from), to: named(event.to) })}
      </Text>
      {event.mail?.text && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {event.mail.text}
        </Text>
      )}
      <EditedAmounts event={event} />
      <Text size="sm" c="dimmed">
        {dateTime(event.at)} · {actor}
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

const lineChanges = ['added', 'removed', 'changed'] as const;

/** How many lines an edit affected, and what it did to the total. */
function EditedAmounts({ event: { lines, total } }: { event: TimelineEntry }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const counts = lineChanges.filter((kind) => lines?.[kind]);
  const facts = [
    ...counts.map((kind) => t(`orders.editedLines.${kind}`, { count: lines?.[kind] ?? 0 })),
    ...(total ? [t('orders.editedTotal', { from: money(total.from), to: money(total.to) })] : []),
  ];
  return facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>;
}

function Delivery({ delivery, orderId }: { delivery: OrderDelivery; orderId: string }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const { id: storeId } = useStore();
  const may = useMay();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useAction(
    () =>
      call('POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend', {
        params: { storeId, deliveryId: delivery.id },
      }),
    () => {
      notify(t('orders.resent'));
      return queryClient.invalidateQueries(orderQuery(storeId, orderId));
    },
  );
  const last = delivery.attempts.at(-1);
  const facts = [
    delivery.attempts.length > 0 && t('orders.attempts', { count: delivery.attempts.length }),
    last?.responseStatus && t('orders.lastResponse', { status: last.responseStatus, duration: last.durationMs }),
    last && failureName(last, t),
    delivery.nextAttemptAt &&
      delivery.attempts.length > 0 &&
      t('orders.nextAttempt', { when: dateTime(delivery.nextAttemptAt) }),
    !delivery.canResend && t('orders.endpointOff'),
  ].filter(Boolean);
  return (
    <Group justify="space-between" gap="sm" align="flex-start" className="code-box">
      <Box miw={0} flex="1 1 240px">
        <Group gap="xs">
          <Text size="sm">{t('orders.webhook')}</Text>
          <DeliveryBadge delivery={delivery} />
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
      {may('resendDeliveries') && delivery.canResend && delivery.status !== 'pending' && (
        <Button
          variant="default"
          size="xs"
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
