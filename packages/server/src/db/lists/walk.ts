import { yieldToEventLoop } from '../../time/pace.ts';

const PAGE_SIZE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** All rows of a store in the order of their ids, page by page, with other work in between. */
export async function* pagesById<Row extends { id: string }>(
  read: (after: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = BEFORE_ALL; ; ) {
    const page = await read(after, PAGE_SIZE);
    if (page.length) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = last.id;
    await yieldToEventLoop();
  }
}
