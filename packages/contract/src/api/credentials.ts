import Type, { type Static } from 'typebox';
import { Instant, OneOf, Uuid } from './common.ts';
import { plans } from './rights.ts';

export const Credentials = Type.Object(
  {
    id: Uuid('Identifier of the key.'),
    name: Type.String({ description: 'Name of the key.' }),
    store: Type.Object(
      {
        id: Uuid('Identifier of the store.'),
        name: Type.String({ description: 'Name of the store.' }),
        currency: Type.String({ description: 'Currency of the orders.', examples: ['RUB'] }),
        timezone: Type.String({ description: 'Time zone of the store.', examples: ['Europe/Moscow'] }),
        plan: OneOf(plans, 'Plan of the store.'),
      },
      { description: 'The store that the key belongs to.' },
    ),
    rights: Type.Array(Type.String(), { description: 'Rights of the key.', examples: [['orders:read']] }),
    createdAt: Instant('Creation time.'),
    expiresAt: Instant('Expiry time.'),
  },
  { description: 'The API key of the request and its store.' },
);
export type Credentials = Static<typeof Credentials>;
