/** A Russian number with the prefix that is dialled inside the country. */
const DOMESTIC = /^8(\d{10})$/;

/** What is compared when two phones are: digits only, Russian `8…` as `7…`. Nothing where there are none. */
export const phoneKey = (phone: string): string | null =>
  phone.normalize('NFKC').replace(/\D/g, '').replace(DOMESTIC, '7$1') || null;

/** What is compared when two e-mail addresses are. Nothing where there is none. */
export const emailKey = (email: string): string | null => email.trim().normalize('NFKC').toLowerCase() || null;
