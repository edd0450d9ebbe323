/** The version of an order: its change number, which no other change of the store shares. */
export const etagOf = (seq: number) => `"${seq}"`;

/** Whether an `If-Match` header names this version. Weak tags never match, as RFC 9110 says. */
export const matches = (header: string, seq: number) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etagOf(seq));
