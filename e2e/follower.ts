/**
 * What a client holds that follows `updatedAt:asc`: by cursor through the pages, then again from the last time seen.
 * `get` reads a path of the API and returns the body.
 */
export function follower(path: string, get: (query: string) => Promise<any>) {
  const held = new Map<string, string>();
  let from = '';
  return {
    held,
    async catchUp() {
      let cursor = '';
      do {
        const body = await get(
          `${path}?order=updatedAt:asc&limit=20${from && `&filter[updatedAt][from]=${from}`}${cursor && `&cursor=${cursor}`}`,
        );
        for (const record of body.data) held.set(record.id, JSON.stringify(record));
        cursor = body.page.nextCursor ?? '';
        // Only behind the last page is it safe to start anew from the last time seen.
        if (!cursor) from = body.data.at(-1)?.updatedAt ?? from;
      } while (cursor);
    },
  };
}
