/**
 * Where a synchronization stands. A string for the caller, who stores it and never looks inside.
 *
 * The service numbers the changes of a store and lists them by (`updatedAt`, number). A cursor is an exact place in
 * that list, but the last page has none. What follows the last page is therefore found by going back to the place
 * before it (the cursor that led to it, or an instant) and leaving out what was delivered from there on already.
 */
export interface Bookmark {
  /** `orders`, `products`, `customers`. */
  list: string;
  storeId: string;
  /** `updatedAt` of the last record delivered. */
  at: string;
  /** Go on behind this place; without it, from `at`. */
  cursor?: string;
  /** Marks of what stands between that place and the end of what was delivered. Never more than a page. */
  delivered: string[];
}

export const writeBookmark = ({ list, storeId, at, cursor = '', delivered }: Bookmark): string =>
  // Nothing in it is outside ASCII, so that btoa will do.
  btoa(JSON.stringify([1, list, storeId, at, cursor, delivered]));

/** Refuses what is not a bookmark of this list of this store: going on from it would miss changes silently. */
export function readBookmark(text: string, wanted: { list: string; storeId: string }): Bookmark {
  const [list, storeId, at, cursor, delivered] = fields(text);
  if (list !== wanted.list) throw new TypeError(`The bookmark is of ${list}, not of ${wanted.list}.`);
  if (storeId !== wanted.storeId)
    throw new TypeError(`The bookmark is of store ${storeId}, but the key opens store ${wanted.storeId}.`);
  return { list, storeId, at, delivered, ...(cursor && { cursor }) };
}

function fields(text: string): [string, string, string, string, string[]] {
  try {
    const [version, ...rest] = JSON.parse(atob(text));
    if (version === 1 && rest.length === 5 && Array.isArray(rest[4])) return rest as ReturnType<typeof fields>;
  } catch {}
  throw new TypeError('The bookmark is damaged: start again without one.');
}

/**
 * A mark of one version of a record: 53 bits of its content. The time of a change would not do, because a record
 * can change twice within one millisecond.
 */
export function markOf(record: object): string {
  const text = JSON.stringify(record);
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
