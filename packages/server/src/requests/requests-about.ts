import type { Database, Queryable } from '../db/database.ts';
import { pagesById } from '../db/lists/walk.ts';
import * as queries from './requests-about.queries.ts';

export type LoggedText = queries.LoggedText;

/** What a person's requests are recognized by. */
export interface RequestSubject {
  mentions(text: string): boolean;
  /** Later requests are about somebody else. */
  until: number;
}

/** The lines of the request log that mention a person, page by page. */
export async function* requestsAbout(db: Queryable, storeId: string, { mentions, until }: RequestSubject) {
  for await (const page of pagesById((after, limit) => queries.linesAfter(db, storeId, after, limit))) {
    const found = page.filter(
      ({ received_at, query, problem, request_id }) =>
        received_at <= until && [query, problem ?? '', request_id].some(mentions),
    );
    if (found.length) yield found;
  }
}

/** Empties the texts of lines that are about a person. The lines stay, so that the counts by day do. */
export async function eraseRequests(db: Database, storeId: string, subject: RequestSubject) {
  for await (const lines of requestsAbout(db, storeId, subject))
    await queries.eraseTexts(
      db,
      storeId,
      lines.map(({ id }) => id),
    );
}
