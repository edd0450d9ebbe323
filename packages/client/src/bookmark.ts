/**
 * The position of a synchronization; an opaque string for the caller.
 *
 * The service lists changes by (`updatedAt`, change number). A cursor is an exact position in that list, but the last
 * page has none. To continue after the last page, the client reads it again (by its own cursor or by time) and skips
 * the records it has already delivered.
 */
export interface Bookmark {
  /** `orders`, `products`, `customers`. */
  list: string;
  storeId: string;
  /** `updatedAt` of the last record delivered. */
  at: string;
  /** Continue after this cursor; without it, from `at`. */
  cursor?: string;
  /** Records delivered after that position; at most one page. */
  delivered: DeliveredVersion[];
}

/** Hashes of the record's id and content. `updatedAt` is not enough: a record can change twice in one millisecond. */
export type DeliveredVersion = [record: string, version: string];

export const versionOf = (record: { id: string }): DeliveredVersion => [hash(record.id), hash(JSON.stringify(record))];

export const writeBookmark = ({ list, storeId, at, cursor = '', delivered }: Bookmark): string =>
  // All fields are ASCII, which btoa requires.
  btoa(JSON.stringify([1, list, storeId, at, cursor, delivered]));

/** Rejects bookmarks of another list or store: continuing from them would miss changes. */
export function readBookmark(text: string, expected: { list: string; storeId: string }): Bookmark {
  const [list, storeId, at, cursor, delivered] = fields(text);
  if (list !== expected.list) throw new TypeError(`The bookmark is for ${list}, not for ${expected.list}.`);
  if (storeId !== expected.storeId)
    throw new TypeError(`The bookmark is for store ${storeId}, but the key is for store ${expected.storeId}.`);
  return { list, storeId, at, delivered, ...(cursor && { cursor }) };
}

function fields(text: string): [string, string, string, string, DeliveredVersion[]] {
  try {
    const [version, ...rest] = JSON.parse(atob(text));
    if (version === 1 && rest.length === 5 && Array.isArray(rest[4])) return rest as ReturnType<typeof fields>;
  } catch {}
  throw new TypeError('The bookmark is invalid; start again without one.');
}

/** cyrb53, a fast non-cryptographic 53-bit hash. */
function hash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
