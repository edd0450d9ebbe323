import Type, { type Static } from 'typebox';
import { Body, OneOf } from '../common.ts';

/** What the history can be narrowed to; `catalog` are products and categories, `references` the five lists. */
export const historyKinds = ['store', 'key', 'endpoint', 'catalog', 'references', 'account'] as const;
export type HistoryKind = (typeof historyKinds)[number];

export const HistoryQuery = Body({
  kind: Type.Optional(OneOf(historyKinds, 'Only changes of these.')),
  actor: Type.Optional(
    Type.String({
      pattern: '^(owner|system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
      description: '`owner`, `system` or the id of a key.',
    }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export interface HistoryEntry {
  id: string;
  at: string;
  actor: { kind: 'key' | 'owner' | 'system'; id: string | null; name: string };
  /** `created`, `changed`, `revoked`, … */
  action: string;
  subject: { kind: string; id: string; name: string };
  /** A field that changed is `[before, after]`; other members tell more about what was done. */
  details: Record<string, unknown>;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  nextCursor: string | null;
}
