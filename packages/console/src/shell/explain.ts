import { ApiError } from '../api/client.ts';
import type { Dictionary } from '../i18n/en.ts';
import type { Translate } from '../i18n/index.ts';

/** The error as a sentence in the page's language. */
export function explain(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  const { code, params, retryAfter: seconds } = error;
  if (params) return t(`limits.${params.limit}`, { max: params.max, until: new Date(params.until ?? 0) });
  const key = `errors.${code as keyof Dictionary['errors']}` as const;
  return t(key, { seconds, defaultValue: t('errors.unknown') });
}

/** The part of a form that showFieldErrors needs. */
export interface FormWithErrors {
  getValues(): object;
  setFieldError(field: string, message: string): void;
}

/** Shows the server's validation errors next to their fields. */
export function showFieldErrors(form: FormWithErrors, error: unknown, t: Translate) {
  if (!(error instanceof ApiError)) return;
  const fields = Object.keys(form.getValues());
  for (const { pointer = '', code } of error.fieldErrors) {
    const path = pointer.slice(1).split('/');
    if (!fields.includes(path[0] as string)) continue;
    type Key = `fieldErrors.${keyof Dictionary['fieldErrors']}`;
    const text = (key: string) => t(key as Key, { defaultValue: '' });
    const specific = text(`fieldErrors.${code}_${path.at(-1)}`) || text(`fieldErrors.${code}`);
    form.setFieldError(path.join('.'), specific || t('fieldErrors.rejected'));
  }
}
