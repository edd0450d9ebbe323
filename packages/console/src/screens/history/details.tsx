import { Text } from '@mantine/core';
import type { HistoryEntry, ImportKind } from '@store-sales/contract/console';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { browserName } from '../account/browser-name.ts';
import { useOrderFormats } from '../orders/formats.ts';
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

function inWords(field: string, value: unknown, t: TFunction, date: (instant: number) => string): string {
  if (typeof value === 'boolean') return value ? t('history.yes') : t('history.no');
  if (Array.isArray(value)) return value.join(', ');
  if (field === 'expiresAt') return date(Number(value));
  if (value === null || value === '') return '—';
  if (field === 'list') return t(`catalog.files.kinds.${value as ImportKind}`, { defaultValue: String(value) });
  if (field === 'reason') return reasonName(String(value), t);
  if (field === 'userAgent') return browserName(String(value), t);
  return String(value);
}
