import { type Bookmark, readBookmark, versionOf, writeBookmark } from './bookmark.ts';
import type { Page } from './contract.generated.ts';
import { hasCode } from './errors.ts';
import type { TimeRange } from './operations.ts';

/** Changed records, and the bookmark to store with them. */
export interface Batch<Item> {
  records: Item[];
  /** Store it with the records, in one transaction where you can; pass it to the next `sync`. */
  bookmark: string;
}

interface Listed<Item> {
  data: Item[];
  page: Page;
}

export interface Source<Item> {
  list: string;
  storeId: string;
  /** A page of the list by `updatedAt:asc`. */
  page(position: { cursor?: string; updatedAt?: TimeRange }): Promise<Listed<Item>>;
}

/** Yields the changes from the bookmark to the current end of the list. */
export async function* changesSince<Item extends { id: string; updatedAt: string }>(
  source: Source<Item>,
  text: string | undefined,
): AsyncGenerator<Batch<Item>, void, undefined> {
  const start = text ? readBookmark(text, source) : undefined;
  const delivered = new Map(start?.delivered);
  const isNew = (item: Item) => {
    if (!delivered.size) return true;
    const [record, version] = versionOf(item);
    const before = delivered.get(record);
    // Skipped once at most: a second occurrence is a change, even if it restores the old content.
    delivered.delete(record);
    return version !== before;
  };
  let { listed, cursor } = await firstPage(source, start);
  while (true) {
    const records = listed.data.filter(isNew);
    const next = bookmarkAfter(source, listed, cursor);
    if (records.length && next) yield { records, bookmark: writeBookmark(next) };
    if (!listed.page.nextCursor) return;
    cursor = listed.page.nextCursor;
    listed = await source.page({ cursor });
  }
}

/** The page after the bookmark, and the cursor it was requested with, if any. */
async function firstPage<Item>(source: Source<Item>, start: Bookmark | undefined) {
  const at = async (position: Parameters<Source<Item>['page']>[0]) => ({
    listed: await source.page(position),
    cursor: position.cursor,
  });
  if (!start) return at({});
  const fromTime = { updatedAt: { from: start.at } };
  if (!start.cursor) return at(fromTime);
  try {
    return await at({ cursor: start.cursor });
  } catch (error) {
    // The service's secret key has changed. Continuing by time may repeat records but misses none.
    if (hasCode(error, 'invalid_cursor')) return at(fromTime);
    throw error;
  }
}

/** `cursor` is the one that the page was requested with, if any. */
function bookmarkAfter<Item extends { id: string; updatedAt: string }>(
  { list, storeId }: Source<Item>,
  { data, page }: Listed<Item>,
  cursor: string | undefined,
): Bookmark | undefined {
  const at = data.at(-1)?.updatedAt;
  if (!at) return undefined;
  const base = { list, storeId, at };
  if (page.nextCursor) return { ...base, cursor: page.nextCursor, delivered: [] };
  const latest = data.filter((record) => record.updatedAt === at);
  // One change can affect many records with the same time. If they began on an earlier page, continue from this page's
  // cursor instead of the time, which keeps `delivered` short.
  return cursor && latest.length === data.length
    ? { ...base, cursor, delivered: data.map(versionOf) }
    : { ...base, delivered: latest.map(versionOf) };
}
