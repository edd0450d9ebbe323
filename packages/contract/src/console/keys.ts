import Type, { type Static } from 'typebox';
import { Body, Name, OneOf } from '../common.ts';
import { type Right, rights } from '../rights.ts';

export const CreateKey = Body({
  name: Name('Name of the key.'),
  rights: Type.Array(OneOf(Object.keys(rights) as Right[], 'A right.'), { minItems: 1, maxItems: 20 }),
  life: Type.String({ pattern: '^[0-9]{1,4}[dy]$', description: 'How long the key works: `90d`, `1y`.' }),
});
export type CreateKey = Static<typeof CreateKey>;

/** A key as its owner sees it: never the secret. */
export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  /** Old keys may carry rights that are no longer issued. */
  rights: string[];
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

/** The answer to a creation: the only time the secret is seen. */
export interface CreatedKey {
  secret: string;
  key: ApiKey;
}
