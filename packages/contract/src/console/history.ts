import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull } from '../api/common.ts';
import { historyKinds } from './values.ts';

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

export const HistoryEntry = Type.Object({
  id: Type.String(),
  at: Instant('When it happened.'),
  actor: Type.Object({
    kind: OneOf(['key', 'owner', 'system'], 'Kind of actor.'),
    id: OrNull(Type.String(), 'Id of the key or owner.'),
    name: Type.String(),
  }),
  action: Type.String({ description: '`created`, `changed`, `revoked`, …' }),
  subject: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'A changed field is `[before, after]`; other members describe the action.',
  }),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const HistoryPage = Type.Object({
  entries: Type.Array(HistoryEntry),
  nextCursor: OrNull(Type.String(), 'Null on the last page.'),
});
export type HistoryPage = Static<typeof HistoryPage>;
