import { Badge, type BadgeProps } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';

const mark: BadgeProps = {
  tt: 'none',
  fw: 500,
  fz: 'xs',
  variant: 'default',
  style: { minWidth: 0, maxWidth: '100%', verticalAlign: 'middle' },
};

export const StatusMark = ({ of }: { of: Order }) => <Badge {...mark}>{of.status.name}</Badge>;

/** In the colour that the owner gave the payment status. */
export function PaymentMark({ of, choices }: { of: Order; choices: OrderChoices | undefined }) {
  const colour = choices?.paymentStatuses.find(({ id }) => id === of.paymentStatus.id)?.color ?? 'gray';
  return (
    <Badge {...mark} variant="dot" color={colour}>
      {of.paymentStatus.name}
    </Badge>
  );
}
