import { Text } from '@mantine/core';
import type { DeliveryType, StatusGroup } from '@store-sales/contract';
import type { DeliveredType, DeliveryState, HistoryEntry, ImportKind } from '@store-sales/contract/console';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { browserName } from '../account/browser-name.ts';
import { useOrderFormats } from '../orders/formats.ts';
import { inWords as rightsInWords } from '../settings-api/rights.ts';
import { eventName } from '../settings-webhooks/words.ts';
import { fieldName, reasonName } from './words.ts';

/** Ids say nothing to a reader. */
const hidden = ['deliveryId'];

/** What changed, from what to what. */
export function Details({ of: { details } }: { of: HistoryEntry }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const { money } = useOrderFormats();
  const lines = Object.entries(details)
    .filter(([field]) => !hidden.includes(field))
    .map(([field, value]) => {
      const isChange = Array.isArray(value) && value.length === 2 && field !== 'rights' && !isList(field, value);
      const show = (each: unknown) => (field === 'price' ? money(Number(each)) : inWords(field, each, t, date));
      return [fieldName(field, t), isChange ? `${show(value[0])} → ${show(value[1])}` : show(value)] as const;
    });
  return lines.map(([name, text]) => (
    <Text key={name} size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {name}: {text}
    </Text>
  ));
}

/** The events that an endpoint began with are a list of texts; a change of them is a pair of lists. */
const isList = (field: string, value: unknown[]) => field === 'events' && !Array.isArray(value[0]);

/** What the service calls by a code, as the other pages call it. */
const words: Record<string, (value: string, t: TFunction) => string> = {
  list: (value, t) => t(`catalog.files.kinds.${value as ImportKind}`, { defaultValue: value }),
  reason: reasonName,
  userAgent: browserName,
  group: (value, t) => t(`orders.groups.${value as StatusGroup}`, { defaultValue: value }),
  kind: (value, t) => t(`references.delivery.kinds.${value as DeliveryType['kind']}`, { defaultValue: value }),
  plan: (value, t) => t(value === 'optimal' ? 'stores.planOptimal' : 'stores.planBasic'),
  events: (value, t) => eventName(value as DeliveredType, t),
  type: (value, t) => eventName(value as DeliveredType, t),
  status: (value, t) => t(`webhooks.states.${value as DeliveryState}`, { defaultValue: value }),
};

function inWords(field: string, value: unknown, t: TFunction, date: (instant: number) => string): string {
  if (typeof value === 'boolean') return value ? t('history.yes') : t('history.no');
  if (Array.isArray(value))
    return (field === 'rights' ? rightsInWords(value, t) : value.map((each) => inWords(field, each, t, date))).join(
      ', ',
    );
  if (field === 'expiresAt') return date(Number(value));
  if (value === null || value === '') return '—';
  return words[field]?.(String(value), t) ?? String(value);
}
