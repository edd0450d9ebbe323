/**
 * The state of a client that follows `updatedAt:asc`: by cursor through the pages, then again from the last seen time.
 * `get` reads a path of the API and returns the body.
 */
export function follower(path: string, get: (query: string) => Promise<any>) {
  const records = new Map<string, string>();
  let from = '';
  return {
    records,
    async catchUp() {
      let cursor = '';
      do {
        const body = await get(
          `${path}?order=updatedAt:asc&limit=20${from && `&filter[updatedAt][from]=${from}`}${cursor && `&cursor=${cursor}`}`,
        );
        for (const record of body.data) records.set(record.id, JSON.stringify(record));
        cursor = body.page.nextCursor ?? '';
        // Restarting from the last seen time is only safe after the last page.
        if (!cursor) from = body.data.at(-1)?.updatedAt ?? from;
      } while (cursor);
    },
  };
}
