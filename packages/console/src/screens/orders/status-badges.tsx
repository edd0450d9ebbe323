import { Badge, type BadgeProps } from '@mantine/core';
import type { Order, StatusGroup } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { statusName } from '../../shell/system-names.ts';

const mark: BadgeProps = {
  fz: 'xs',
  variant: 'default',
  style: { minWidth: 0, maxWidth: '100%', verticalAlign: 'middle' },
};

const colors: Record<StatusGroup, string> = {
  new: 'blue',
  packing: 'orange',
  delivering: 'violet',
  completed: 'teal',
  cancelled: 'gray',
  returned: 'red',
};

interface BadgeOf {
  of: Order;
  choices: OrderChoices | undefined;
}

/** The color of the stage as a tint, so that the text keeps its contrast. */
export function StatusBadge({ of, choices }: BadgeOf) {
  const { t } = useTranslation();
  const group = choices?.statuses.find(({ id }) => id === of.status.id)?.group;
  const color = `var(--mantine-color-${group ? colors[group] : 'gray'}-6)`;
  const tint = (percent: number) => `color-mix(in srgb, ${color} ${percent}%, var(--console-surface))`;
  return (
    <Badge {...mark} style={{ ...mark.style, background: tint(14), borderColor: tint(35) }}>
      {statusName(of.status, t)}
    </Badge>
  );
}

export function PaymentBadge({ of, choices }: BadgeOf) {
  const { t } = useTranslation();
  const color = choices?.paymentStatuses.find(({ id }) => id === of.paymentStatus.id)?.color ?? 'gray';
  return (
    <Badge {...mark} variant="dot" color={color}>
      {statusName(of.paymentStatus, t)}
    </Badge>
  );
}
