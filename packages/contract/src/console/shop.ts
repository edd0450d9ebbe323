import Type, { type Static } from 'typebox';
import { Body, Kopecks, OneOf, Text, Uuid } from '../api/common.ts';
import { SHOP_SLUG, shopLanguages } from './values.ts';

const settings = {
  isEnabled: Type.Boolean(),
  isInFeeds: Type.Boolean({ description: 'Whether other sites may read the catalog as feeds.' }),
  title: Text(200, 'The name of the store if empty.'),
  about: Text(5000, 'A text above the products.'),
  contacts: Text(1000, 'Shown at the end of every page.'),
  language: OneOf(shopLanguages, 'Language of the page.'),
  accent: Type.String({
    pattern: '^#[0-9a-f]{6}$',
    description: 'Colour of buttons; white text must be readable on it.',
  }),
  smallestOrder: Kopecks('Smallest sum of an order, without delivery.'),
};

/** The settings of a store's order page. */
export const SaveShop = Body({
  slug: Type.String({ pattern: SHOP_SLUG, description: 'Last part of its address.' }),
  ...settings,
  delivery: Type.Array(
    Body({ typeId: Uuid('A delivery type of the store.'), cost: Kopecks('Its cost on the page.') }),
    {
      maxItems: 200,
      description: 'The delivery types offered.',
    },
  ),
  payments: Type.Array(Uuid('A payment type of the store.'), {
    maxItems: 200,
    description: 'The payment types offered.',
  }),
});
export type SaveShop = Static<typeof SaveShop>;

const offered = { typeId: Type.String(), name: Type.String(), isOffered: Type.Boolean() };

export const ShopSettings = Type.Object({
  slug: Type.String({ description: 'Empty while there is no page.' }),
  url: Type.String({ description: 'Where pages are: `<url>/<slug>`.' }),
  ...settings,
  delivery: Type.Array(Type.Object({ ...offered, cost: Type.Integer() })),
  payments: Type.Array(Type.Object({ ...offered, code: Type.String() })),
  etag: Type.String({ description: 'Version of the settings; send it as `If-Match` with a change.' }),
});
export type ShopSettings = Static<typeof ShopSettings>;
