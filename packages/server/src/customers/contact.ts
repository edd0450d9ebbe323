/** What is compared when phones are: digits only, Russian `8…` as `7…`; null where there are none. */
export function phoneKey(phone: string): string | null {
  const digits = phone.replace(/\D/g, '');
  return (digits.length === 11 && digits.startsWith('8') ? `7${digits.slice(1)}` : digits) || null;
}

/** What is compared when e-mail addresses are, whatever their case; null where there is none. */
export const emailKey = (email: string): string | null => email.trim().normalize('NFKC').toLowerCase() || null;
