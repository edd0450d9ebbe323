import { FieldErrors } from '../domain-error.ts';

/** The key for comparing names: trimmed, normalized, case-insensitive (Cyrillic too). */
export const nameKey = (name: string) => name.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');

/** Something around an `@`, without spaces; only a mail can tell whether it exists. */
export const isEmail = (text: string) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text);

/** Trims a name and rejects blank ones. */
export function storedName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed) {
    const fieldErrors = new FieldErrors();
    fieldErrors.add('/name', 'too_short', 'must not be empty');
    fieldErrors.throwIfAny();
  }
  return trimmed;
}
