import type { EventType } from '@store-sales/contract';
import type { Counted, DeliveredType, DeliveryAttempt, DeliveryStatus } from '@store-sales/contract/console';
import type { Translate } from '../../i18n/index.ts';
import type { LateTexts } from '../../i18n/late-texts.ts';

/** In the order in which they are offered. A record, so that the compiler finds a missing one. */
const offered: Record<EventType, true> = {
  'order.created': true,
  'order.status_changed': true,
  'order.payment_status_changed': true,
};
export const allEvents = Object.keys(offered) as EventType[];
export const allTypes: DeliveredType[] = [...allEvents, 'ping'];

const states: Record<DeliveryStatus, true> = {
  pending: true,
  delivered: true,
  failed: true,
  stopped: true,
  skipped: true,
};
export const allStates = Object.keys(states) as DeliveryStatus[];

/** A dot in a key leads to a nested text. */
export const eventName = (type: DeliveredType, t: Translate) =>
  t(`webhooks.event.${type.replace('.', '_') as keyof LateTexts['webhooks']['event']}`);

/** Why an attempt failed; '' after a success. */
export const failureName = (
  { error, responseStatus }: Pick<DeliveryAttempt, 'error' | 'responseStatus'>,
  t: Translate,
) => (error ? t(`webhooks.failures.${error}`, { status: responseStatus }) : '');

export const countName = ({ count, isMore }: Counted, t: Translate, language: string): string => {
  const number = count.toLocaleString(language);
  return isMore ? t('webhooks.moreThan', { count: number as unknown as number }) : number;
};
