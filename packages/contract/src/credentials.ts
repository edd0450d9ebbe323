import Type, { type Static } from 'typebox';
import { Instant, OneOf, Uuid } from './common.ts';
import { plans } from './rights.ts';

export const Credentials = Type.Object(
  {
    id: Uuid('Identifier of the key.'),
    name: Type.String({ description: 'Name the owner gave the key.' }),
    store: Type.Object(
      {
        id: Uuid('Identifier of the store.'),
        name: Type.String({ description: 'Name of the store.' }),
        currency: Type.String({ description: 'Currency of its orders.', examples: ['RUB'] }),
        timezone: Type.String({ description: 'Time zone of the store.', examples: ['Europe/Moscow'] }),
        plan: OneOf(plans, 'Plan of the store.'),
      },
      { description: 'The store that the key opens.' },
    ),
    rights: Type.Array(Type.String(), { description: 'Rights of the key.', examples: [['orders:read']] }),
    createdAt: Instant('When the key was created.'),
    expiresAt: Instant('When the key stops working.'),
  },
  { description: 'The key that made the request, and its store.' },
);
export type Credentials = Static<typeof Credentials>;
