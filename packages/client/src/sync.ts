import { readBookmark, writeBookmark } from './bookmark.ts';
import type { SyncedPage } from './contract.generated.ts';
import { hasCode } from './errors.ts';

/** Changed records, and the bookmark to store with them. */
export interface Batch<Item> {
  records: Item[];
  /** Store it with the records, in one transaction where you can; pass it to the next `sync`. */
  bookmark: string;
}

interface Listed<Item> {
  data: Item[];
  page: SyncedPage;
}

export interface Source<Item> {
  list: string;
  storeId: string;
  /** A page of the list in the order of its changes, after a cursor, or from a time on. */
  page(position: { cursor?: string; from?: string }): Promise<Listed<Item>>;
  timeOf(item: Item): string;
}

/** Yields the changes from the bookmark to the current end of the list. */
export async function* changesSince<Item>(
  source: Source<Item>,
  bookmark: string | undefined,
): AsyncGenerator<Batch<Item>, void, undefined> {
  const { list, storeId } = source;
  const start = bookmark ? readBookmark(bookmark, source) : undefined;
  let listed = await (start ? pageAfter(source, start) : source.page({}));
  for (;;) {
    const last = listed.data.at(-1);
    const cursor = listed.page.syncCursor as string;
    if (last)
      yield { records: listed.data, bookmark: writeBookmark({ list, storeId, cursor, at: source.timeOf(last) }) };
    if (!listed.page.nextCursor) return;
    listed = await source.page({ cursor: listed.page.nextCursor });
  }
}

async function pageAfter<Item>(source: Source<Item>, { cursor, at }: { cursor: string; at: string }) {
  try {
    return await source.page({ cursor });
  } catch (error) {
    // The service's secret key has changed. Continuing by time may repeat records but misses none.
    if (hasCode(error, 'invalid_cursor')) return source.page({ from: at });
    throw error;
  }
}
