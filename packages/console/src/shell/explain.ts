import type { TFunction } from 'i18next';
import { ApiError } from '../api/client.ts';
import type { Dictionary } from '../i18n/en.ts';

/** What went wrong, in the words of the page. */
export function explain(error: unknown, t: TFunction): string {
  const code = error instanceof ApiError ? error.code : 'unknown';
  const key = `errors.${code as keyof Dictionary['errors']}` as const;
  const { retryAfter: seconds = 0, detail = '' } = error instanceof ApiError ? error : {};
  return t(key, { seconds, detail, defaultValue: t('errors.unknown') });
}

/** What is needed of a form to show faults in it. */
export interface FaultyForm {
  getValues(): object;
  setFieldError(field: string, message: string): void;
}

/** Puts the server's faults beside their fields. */
export function showFaults(form: FaultyForm, error: unknown, t: TFunction) {
  if (!(error instanceof ApiError)) return;
  const fields = Object.keys(form.getValues());
  for (const { pointer = '', code } of error.faults) {
    const path = pointer.slice(1).split('/');
    if (!fields.includes(path[0] as string)) continue;
    const key = `faults.${code as keyof Dictionary['faults']}` as const;
    form.setFieldError(path.join('.'), t(key, { defaultValue: t('faults.rejected') }));
  }
}
