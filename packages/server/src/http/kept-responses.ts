import type { Queryable } from '../db/database.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import * as queries from './kept-responses.queries.ts';

export type KeptResponse = queries.KeptResponse;

const PAGE_SIZE = 200;

/** The responses kept for an `Idempotency-Key` that are wanted. */
export async function* keptResponses(
  db: Queryable,
  storeId: string,
  isWanted: (kept: KeptResponse) => boolean,
): AsyncGenerator<KeptResponse> {
  for (let after: queries.Position = { path: '', key: '' }; ; ) {
    const page = await queries.keptAfter(db, storeId, after, PAGE_SIZE);
    yield* page.filter(isWanted);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = last;
    await yieldToEventLoop();
  }
}

/** Replaces the body of a kept response: a repeated request still creates nothing. */
export const replaceKept = queries.setBody;

/** Forgets a request. */
export const removeKept = queries.remove;
