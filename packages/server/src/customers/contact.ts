/** The digits of a phone number in ASCII, and whether it has a `+`. Digits of other scripts count as digits. */
export function readPhone(phone: string): { digits: string; hasPlus: boolean } {
  const text = phone.normalize('NFKC');
  return { digits: asciiDigits(text.replace(/\P{Nd}/gu, '')), hasPlus: text.includes('+') };
}

/** A text with its digits in ASCII. */
export const asciiDigits = (text: string) => text.replace(/(?![0-9])\p{Nd}/gu, asciiDigit);

/** In Unicode, the ten decimal digits of a script are contiguous and in order. */
function asciiDigit(char: string): string {
  const code = char.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/**
 * Normalized phone for comparison: digits only. Eleven digits that start with `8` without `+` are a Russian number as
 * dialled inside the country, so they equal `+7…`; with `+` the 8 is part of another country's code. Null if there are
 * no digits.
 */
export function phoneKey(phone: string): string | null {
  const { digits, hasPlus } = readPhone(phone);
  const isDomestic = !hasPlus && digits.length === 11 && digits.startsWith('8');
  return (isDomestic ? `7${digits.slice(1)}` : digits) || null;
}

/** Normalized e-mail for comparison, or null. */
export const emailKey = (email: string): string | null => email.trim().normalize('NFKC').toLowerCase() || null;
