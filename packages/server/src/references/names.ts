/** What is compared when two names are: trimmed, normalised, without regard to case, Cyrillic included. */
export const nameKey = (name: string) => name.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
