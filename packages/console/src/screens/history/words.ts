import type { HistoryEntry } from '@store-sales/contract/console';
import type { TFunction } from 'i18next';
import type { Dictionary } from '../../i18n/en.ts';

type Texts = Dictionary['history'];

/** What a later version may add is shown as it is. */
export const subjectName = (kind: string, t: TFunction): string =>
  t(`history.subjects.${kind as keyof Texts['subjects']}`, { defaultValue: kind });
export const actionName = (action: string, t: TFunction): string =>
  t(`history.actions.${action as keyof Texts['actions']}`, { defaultValue: action });
export const fieldName = (field: string, t: TFunction): string =>
  t(`history.fields.${field as keyof Texts['fields']}`, { defaultValue: field });
export const reasonName = (reason: string, t: TFunction): string =>
  t(`history.reasons.${reason as keyof Texts['reasons']}`, { defaultValue: reason });

export function actorName({ kind, id, name }: HistoryEntry['actor'], me: string | undefined, t: TFunction): string {
  if (kind === 'system') return t('history.system');
  if (kind === 'key') return t('history.key', { name });
  return id === me ? t('history.you') : name;
}
