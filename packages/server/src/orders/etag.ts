/** The version of an order: its change number, unique within the store. */
export const etagOf = (seq: number) => `"${seq}"`;

/** Whether an `If-Match` header names this version. Weak tags never match (RFC 9110). */
export const matches = (header: string, seq: number) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etagOf(seq));
