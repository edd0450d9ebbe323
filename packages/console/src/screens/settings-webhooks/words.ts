import type { EventType } from '@store-sales/contract';
import type { Counted, DeliveredType, DeliveryState } from '@store-sales/contract/console';
import type { TFunction } from 'i18next';
import type { Dictionary } from '../../i18n/en.ts';

/** In the order in which they are offered. The compiler sees that none is missing. */
const offered: Record<EventType, true> = {
  'order.created': true,
  'order.status_changed': true,
  'order.payment_status_changed': true,
};
export const allEvents = Object.keys(offered) as EventType[];
export const allTypes: DeliveredType[] = [...allEvents, 'ping'];

const states: Record<DeliveryState, true> = {
  pending: true,
  delivered: true,
  failed: true,
  stopped: true,
  skipped: true,
};
export const allStates = Object.keys(states) as DeliveryState[];

/** The translator takes a dot for a step into the dictionary. */
export const eventName = (type: DeliveredType, t: TFunction) =>
  t(`webhooks.event.${type.replace('.', '_') as keyof Dictionary['webhooks']['event']}`);

/** Why an attempt failed: the service's fixed words in those of the page. */
export function failureName(error: string, t: TFunction): string {
  const [, kind, status] = /^(answered|redirected) \(?(\d+)\)?$/.exec(error) ?? [];
  const key = (kind ?? error) as keyof Dictionary['webhooks']['failures'];
  return t(`webhooks.failures.${key}`, { status, defaultValue: error });
}

export const countName = ({ count, isMore }: Counted, t: TFunction, language: string): string => {
  const number = count.toLocaleString(language);
  return isMore ? t('webhooks.moreThan', { count: number as unknown as number }) : number;
};
