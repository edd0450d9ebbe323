import { type Bookmark, markOf, readBookmark, writeBookmark } from './bookmark.ts';
import type { Page, TimeRange } from './contract.generated.ts';
import { hasCode } from './errors.ts';

/** Records that have changed, and the bookmark to store together with them. */
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
  page(place: { cursor?: string; updatedAt?: TimeRange }): Promise<Listed<Item>>;
}

/** Walks from the bookmark to the present end of the list. */
export async function* walk<Item extends { updatedAt: string }>(
  source: Source<Item>,
  text: string | undefined,
): AsyncGenerator<Batch<Item>, void, undefined> {
  const start = text ? readBookmark(text, source) : undefined;
  const delivered = new Set(start?.delivered);
  let { listed, cursor } = await firstPage(source, start);
  while (true) {
    // A mark leaves out one record once: the same content may come back later as a change of its own.
    const records = listed.data.filter((record) => !(delivered.size && delivered.delete(markOf(record))));
    const next = bookmarkAfter(source, listed, cursor);
    if (records.length && next) yield { records, bookmark: writeBookmark(next) };
    if (!listed.page.nextCursor) return;
    cursor = listed.page.nextCursor;
    listed = await source.page({ cursor });
  }
}

/** The page behind the bookmark, and the cursor that led to it, if one did. */
async function firstPage<Item>(source: Source<Item>, start: Bookmark | undefined) {
  const at = async (place: Parameters<Source<Item>['page']>[0]) => ({
    listed: await source.page(place),
    cursor: place.cursor,
  });
  if (!start) return at({});
  const fromInstant = { updatedAt: { from: start.at } };
  if (!start.cursor) return at(fromInstant);
  try {
    return await at({ cursor: start.cursor });
  } catch (error) {
    // The service was set up anew under another secret. From the instant on, some come again, but none is missed.
    if (hasCode(error, 'invalid_cursor')) return at(fromInstant);
    throw error;
  }
}

/** `cursor` is the one that led to this page, if one did. */
function bookmarkAfter<Item extends { updatedAt: string }>(
  { list, storeId }: Source<Item>,
  { data, page }: Listed<Item>,
  cursor: string | undefined,
): Bookmark | undefined {
  const at = data.at(-1)?.updatedAt;
  if (!at) return undefined;
  const here = { list, storeId, at };
  if (page.nextCursor) return { ...here, cursor: page.nextCursor, delivered: [] };
  const latest = data.filter((record) => record.updatedAt === at);
  // One change can touch any number of records at one instant. If they began on an earlier page, go back to this
  // page rather than to the instant: what is to be left out stays short.
  return cursor && latest.length === data.length
    ? { ...here, cursor, delivered: data.map(markOf) }
    : { ...here, delivered: latest.map(markOf) };
}
