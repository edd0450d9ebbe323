import { Text } from '@mantine/core';
import type { DeliveryType, StatusGroup } from '@store-sales/contract';
import type { DeliveredType, DeliveryStatus, HistoryEntry, ImportKind } from '@store-sales/contract/console';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { useMoney } from '../../shell/money.ts';
import { browserName } from '../account/browser-name.ts';
import { describeRights } from '../settings-api/rights.ts';
import { eventName } from '../settings-webhooks/words.ts';
import { fieldName, reasonName } from './labels.ts';

const hidden = ['deliveryId'];
const amounts = ['price', 'oldPrice', 'amount', 'minTotal'];
const times = ['from', 'to'];

export function Details({ of: { details } }: { of: HistoryEntry }) {
  const { t } = useTranslation();
  const { date } = useDates();
  const { money } = useMoney();
  const lines = Object.entries(details)
    .filter(([field]) => !hidden.includes(field))
    .map(([field, value]) => {
      const isChange = Array.isArray(value) && value.length === 2 && field !== 'rights' && !isList(field, value);
      const show = (each: unknown) =>
        amounts.includes(field) ? money(Number(each)) : formatValue(field, each, t, date);
      return [fieldName(field, t), isChange ? `${show(value[0])} → ${show(value[1])}` : show(value)] as const;
    });
  return lines.map(([name, text]) => (
    <Text key={name} size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {name}: {text}
    </Text>
  ));
}

/** The events of a new endpoint are a list of strings; a change is a pair of lists. */
const isList = (field: string, value: unknown[]) => field === 'events' && !Array.isArray(value[0]);

/** Codes, as the other screens show them. */
const formatters: Record<string, (value: string, t: Translate) => string> = {
  list: (value, t) => t(`catalog.fileKinds.${value as ImportKind}`, { defaultValue: value }),
  reason: reasonName,
  userAgent: browserName,
  factor: (value, t) => t(`history.factors.${value as 'codes' | 'passkey'}`, { defaultValue: value }),
  group: (value, t) => t(`orders.groups.${value as StatusGroup}`, { defaultValue: value }),
  kind: (value, t) => t(`references.delivery.kinds.${value as DeliveryType['kind']}`, { defaultValue: value }),
  plan: (value, t) => t(value === 'optimal' ? 'stores.planOptimal' : 'stores.planBasic'),
  events: (value, t) => eventName(value as DeliveredType, t),
  type: (value, t) => eventName(value as DeliveredType, t),
  status: (value, t) => t(`webhooks.states.${value as DeliveryStatus}`, { defaultValue: value }),
};

function formatValue(field: string, value: unknown, t: Translate, date: (instant: number) => string): string {
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  if (Array.isArray(value))
    return (
      field === 'rights' ? describeRights(value, t) : value.map((each) => formatValue(field, each, t, date))
    ).join(', ');
  if (field === 'expiresAt') return date(Number(value));
  if (times.includes(field)) return date(Date.parse(String(value)));
  if (value === null || value === '') return '—';
  return formatters[field]?.(String(value), t) ?? String(value);
}
