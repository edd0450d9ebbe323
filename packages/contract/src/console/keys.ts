import Type, { type Static } from 'typebox';
import { Body, Instant, Name, OneOf, OrNull } from '../api/common.ts';
import { type Right, rights } from '../api/rights.ts';

export const CreateKey = Body({
  name: Name('Name of the key.'),
  rights: Type.Array(OneOf(Object.keys(rights) as Right[], 'A right.'), { minItems: 1, maxItems: 20 }),
  life: Type.String({ pattern: '^[0-9]{1,4}[dy]$', description: 'How long the key works: `90d`, `1y`.' }),
});
export type CreateKey = Static<typeof CreateKey>;

/** An API key without its secret. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  rights: Type.Array(Type.String(), { description: 'Old keys may have rights that are no longer issued.' }),
  createdBy: OrNull(
    Type.Object({ id: Type.String(), name: Type.String() }),
    'The person who made it; null if it was made on the command line.',
  ),
  createdAt: Instant('Creation time.'),
  expiresAt: Instant('Expiry time.'),
  revokedAt: OrNull(Instant('Revocation time.'), 'Null if not revoked.'),
  lastUsedAt: OrNull(Instant('Time of the last use.'), 'Null if never used.'),
});
export type ApiKey = Static<typeof ApiKey>;

/** The secret is shown only once, in this response. */
export const CreatedKey = Type.Object({ secret: Type.String(), key: ApiKey });
export type CreatedKey = Static<typeof CreatedKey>;
