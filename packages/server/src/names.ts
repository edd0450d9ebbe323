import { Faults } from './refusal.ts';

/** The key for comparing names: trimmed, normalized, case-insensitive (Cyrillic too). */
export const nameKey = (name: string) => name.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');

/** Trims a name and rejects blank ones. */
export function storedName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed) {
    const faults = new Faults();
    faults.add('/name', 'too_short', 'must not be empty');
    faults.throwIfAny();
  }
  return trimmed;
}
