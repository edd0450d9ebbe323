import { DomainError } from '../domain-error.ts';
import { shortHash } from '../text/short-hash.ts';
import { iso } from '../time/instant.ts';

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';

/** `*`, or a list of entity tags (RFC 9110). */
export const IF_MATCH = new RegExp(`^(?:\\*|${TAG}(?:[ \\t]*,[ \\t]*${TAG})*)$`);

/** `ifMatch` is the header, if sent. Proxies that compress a response make its tag weak, so `W/` makes no difference. */
export function requireTag(what: string, ifMatch: string | undefined, etag: string) {
  if (ifMatch === undefined || ifMatch === '*') return;
  if (!ifMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
    throw new DomainError('precondition_failed', `The ${what} has changed since it was read.`);
}

/** The tag is the quoted `updatedAt` of the record as it was read. */
export const requireUnchanged = (what: string, ifMatch: string | undefined, updatedAt: number) =>
  requireTag(what, ifMatch, `"${iso(updatedAt)}"`);

type Content = Record<string, unknown>;

/**
 * The version of a record of a reference list, from its values: these tables have no time of change. Enabling and sorting
 * are no part of it, because no form edits them.
 */
export function contentEtag({ isActive: _isActive, sortOrder: _sortOrder, ...content }: Content): string {
  const text = JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `"${shortHash(text)}"`;
}

export const versioned = <Record extends Content>(record: Record) => ({ ...record, etag: contentEtag(record) });

export const requireSameContent = (what: string, ifMatch: string | undefined, record: Content) =>
  requireTag(what, ifMatch, contentEtag(record));
