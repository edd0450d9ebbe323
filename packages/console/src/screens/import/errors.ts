import type { FileError, ImportError, Rejection } from '@store-sales/contract/console';
import type { Translate } from '../../i18n/index.ts';

const text = ({ code, params }: ImportError, column: string | null, t: Translate) =>
  t(`importErrors.${code}`, { column, ...params });

/** The rejected lines with their reasons. */
export function reasonsByLine(rejected: readonly Rejection[], t: Translate): [line: number, reasons: string][] {
  const byLine = new Map<number, string[]>();
  for (const rejection of rejected) {
    const reasons = byLine.get(rejection.line) ?? [];
    byLine.set(rejection.line, reasons);
    reasons.push(text(rejection, rejection.column, t));
  }
  return [...byLine].map(([line, reasons]) => [line, reasons.join('; ')]);
}

export function fileErrorText(error: FileError, t: Translate): string {
  const reason = text(error, null, t);
  return error.line === null ? reason : `${t('importPage.line')} ${error.line}: ${reason}`;
}
