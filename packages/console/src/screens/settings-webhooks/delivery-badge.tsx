import { Badge } from '@mantine/core';
import type { DeliveryAttempt, DeliveryStatus } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';

const colors = {
  pending: 'blue',
  retrying: 'yellow',
  delivered: 'teal',
  failed: 'red',
  stopped: 'orange',
  skipped: 'gray',
} as const;

interface DeliveryBadgeProps {
  delivery: { status: DeliveryStatus; attempts: readonly Pick<DeliveryAttempt, 'error'>[] };
}

/** A pending delivery whose last attempt failed is shown as such. */
export function DeliveryBadge({ delivery: { status, attempts } }: DeliveryBadgeProps) {
  const { t } = useTranslation();
  const state = status === 'pending' && attempts.at(-1)?.error ? 'retrying' : status;
  return (
    <Badge variant="dot" color={colors[state]} fz="xs">
      {t(`webhooks.states.${state}`)}
    </Badge>
  );
}
