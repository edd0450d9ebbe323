import type { Database, Queryable } from '../db/database.ts';
import { pagesById } from '../db/lists/walk.ts';
import * as queries from './entries-about.queries.ts';

export type StoredEntry = queries.StoredEntry;

/** About the people who run the store: their e-mail may be that of a customer too. */
const ofMembers = new Set(['member', 'account']);

/** What the entries about a customer are recognized by. */
export interface EntrySubject {
  /** The ids of the customers that are this person. */
  ids: ReadonlySet<string>;
  mentions(text: string): boolean;
  /** Later entries that mention them are about somebody else. */
  until: number;
}

/** The entries about a person, page by page. */
export async function* entriesAbout(
  db: Queryable,
  storeId: string,
  { ids, mentions, until }: EntrySubject,
): AsyncGenerator<StoredEntry[]> {
  for await (const page of pagesById((after, limit) => queries.entriesAfter(db, storeId, after, limit))) {
    const found = page.filter(
      ({ subject_kind, subject_id, subject_name, details, created_at }) =>
        ids.has(subject_id) ||
        (created_at <= until && !ofMembers.has(subject_kind) && (mentions(subject_name) || mentions(details))),
    );
    if (found.length) yield found;
  }
}

/** Leaves of the entries about a customer who did what and when, and takes out of others the texts that name the person. */
export async function eraseEntries(db: Database, storeId: string, subject: EntrySubject) {
  for await (const entries of entriesAbout(db, storeId, subject))
    await db.transaction(
      async (tx) => {
        for (const { id, subject_id, subject_name, details } of entries) {
          const isSubject = subject.ids.has(subject_id);
          const without = (text: string) => (isSubject || subject.mentions(text) ? '' : text);
          const parsed: unknown = isSubject ? {} : JSON.parse(details);
          await queries.setTexts(tx, storeId, {
            id,
            subject_name: without(subject_name),
            details: JSON.stringify(parsed, (_, value) => (typeof value === 'string' ? without(value) : value)),
          });
        }
      },
      { storeId },
    );
}
