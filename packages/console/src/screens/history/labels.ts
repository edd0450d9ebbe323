import type { HistoryEntry } from '@store-sales/contract/console';
import type { Translate } from '../../i18n/index.ts';
import type { LazyTexts } from '../../i18n/lazy-texts.ts';

type Texts = LazyTexts['history'];

/** Codes without a translation are shown unchanged. */
export const subjectName = (kind: string, t: Translate): string =>
  t(`history.subjects.${kind as keyof Texts['subjects']}`, { defaultValue: kind });
export const actionName = (action: string, t: Translate): string =>
  t(`history.actions.${action as keyof Texts['actions']}`, { defaultValue: action });
export const fieldName = (field: string, t: Translate): string =>
  t(`history.fields.${field as keyof Texts['fields']}`, { defaultValue: field });
export const reasonName = (reason: string, t: Translate): string =>
  t(`history.reasons.${reason as keyof Texts['reasons']}`, { defaultValue: reason });

export function actorName({ kind, id, name }: HistoryEntry['actor'], me: string | undefined, t: Translate): string {
  if (kind === 'system') return t('orders.bySystem');
  if (kind === 'key') return t('orders.byKey', { name });
  return id === me ? t('history.you') : name;
}
