import type { Counted, DeliveryAttempt } from '@store-sales/contract/console';
import { type DeliveredType, type EventType, eventTypes } from '@store-sales/contract/values';
import type { Translate } from '../../i18n/index.ts';

export const allEvents = Object.keys(eventTypes) as EventType[];

export const eventName = (type: DeliveredType, t: Translate) => t(`webhooks.event.${type}`);

/** Why an attempt failed; '' after a success. */
export const failureName = (
  { error, responseStatus }: Pick<DeliveryAttempt, 'error' | 'responseStatus'>,
  t: Translate,
) => (error ? t(`webhooks.failures.${error}`, { status: responseStatus }) : '');

export const countName = ({ count, isMore }: Counted, t: Translate, language: string): string => {
  const number = count.toLocaleString(language);
  return isMore ? t('webhooks.moreThan', { count: number }) : number;
};
