import { Badge, type BadgeProps } from '@mantine/core';
import type { Order } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { useTranslation } from 'react-i18next';
import { statusName } from '../../shell/system-names.ts';

const mark: BadgeProps = {
  tt: 'none',
  fw: 500,
  fz: 'xs',
  variant: 'default',
  style: { minWidth: 0, maxWidth: '100%', verticalAlign: 'middle' },
};

export function StatusMark({ of }: { of: Order }) {
  const { t } = useTranslation();
  return <Badge {...mark}>{statusName(of.status, t)}</Badge>;
}

/** In the colour that the owner gave the payment status. */
export function PaymentMark({ of, choices }: { of: Order; choices: OrderChoices | undefined }) {
  const { t } = useTranslation();
  const colour = choices?.paymentStatuses.find(({ id }) => id === of.paymentStatus.id)?.color ?? 'gray';
  return (
    <Badge {...mark} variant="dot" color={colour}>
      {statusName(of.paymentStatus, t)}
    </Badge>
  );
}
