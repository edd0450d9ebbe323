import { Faults } from './refusal.ts';

/** What is compared when two names are: trimmed, normalised, without regard to case, Cyrillic included. */
export const nameKey = (name: string) => name.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');

/** A name as it is stored. One of spaces only has the length it needs, but is none. */
export function storedName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed) {
    const faults = new Faults();
    faults.add('/name', 'too_short', 'must not be empty');
    faults.throwIfAny();
  }
  return trimmed;
}
