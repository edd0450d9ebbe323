/** The position of a synchronization; an opaque string for the caller. */
export interface Bookmark {
  /** `orders`, `products`, `customers`, `events`. */
  list: string;
  storeId: string;
  /** `page.syncCursor` of the last page delivered. */
  cursor: string;
  /** Time of the last record delivered, to continue from if the cursor is no longer valid. */
  at: string;
}

/** All fields are ASCII, which btoa requires. */
export const writeBookmark = ({ list, storeId, cursor, at }: Bookmark): string =>
  btoa(JSON.stringify([2, list, storeId, cursor, at]));

/** Rejects bookmarks of another list or store: continuing from them would miss changes. */
export function readBookmark(text: string, expected: { list: string; storeId: string }): Bookmark {
  const [list, storeId, cursor, at] = fields(text);
  if (list !== expected.list) throw new TypeError(`The bookmark is for ${list}, not for ${expected.list}.`);
  if (storeId !== expected.storeId)
    throw new TypeError(`The bookmark is for store ${storeId}, but the key is for store ${expected.storeId}.`);
  return { list, storeId, cursor, at };
}

function fields(text: string): [string, string, string, string] {
  try {
    const [version, ...rest] = JSON.parse(atob(text));
    if (version === 2 && rest.length === 4) return rest as ReturnType<typeof fields>;
  } catch {}
  throw new TypeError('The bookmark is invalid; start again without one.');
}
