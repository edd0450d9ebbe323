import { createHash } from 'node:crypto';
import { DomainError } from './domain-error.ts';
import { iso } from './instant.ts';

/** `ifMatch` is the `If-Match` header, if sent: the quoted `updatedAt` of the record as it was read. */
export function requireUnchanged(what: string, ifMatch: string | undefined, updatedAt: number) {
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== `"${iso(updatedAt)}"`) throw hasChanged(what);
}

type Content = Record<string, unknown>;

/**
 * The version of a record of a reference list, from its values: these tables have no time of change. Enabling and sorting
 * are no part of it, because no form edits them.
 */
export function contentEtag({ isActive: _isActive, sortOrder: _sortOrder, ...content }: Content): string {
  const text = JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

export const versioned = <Record extends Content>(record: Record) => ({ ...record, etag: contentEtag(record) });

export function requireSameContent(what: string, ifMatch: string | undefined, record: Content) {
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== contentEtag(record)) throw hasChanged(what);
}

const hasChanged = (what: string) =>
  new DomainError('precondition_failed', `The ${what} has changed since it was read.`);
