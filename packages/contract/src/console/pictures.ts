import Type, { type Static } from 'typebox';
import { Product } from '../api/catalog.ts';
import { Body, OrNull, Uuid } from '../api/common.ts';
import { MAX_PICTURES } from './values.ts';

export const Picture = Type.Object({
  id: Uuid('Id of the picture.'),
  files: Type.Array(
    Type.Object({
      url: Type.String({ description: 'A path of this service.' }),
      width: Type.Integer(),
      height: Type.Integer(),
    }),
    { description: 'Its sizes, the smallest first.' },
  ),
});
export type Picture = Static<typeof Picture>;

export const ProductPictures = Type.Object({
  product: Product,
  pictures: Type.Array(Picture, { description: 'In their order; `imageUrl` of the product is the first.' }),
});
export type ProductPictures = Static<typeof ProductPictures>;

export const ArrangePictures = Body({
  ids: Type.Array(Uuid('Id of a picture of the product.'), {
    maxItems: MAX_PICTURES,
    description: 'All pictures of the product, in their order.',
  }),
});
export type ArrangePictures = Static<typeof ArrangePictures>;

export const ShopPictures = Type.Object({
  logo: OrNull(Picture, 'The logo of the order page.'),
  cover: OrNull(Picture, 'The picture above its products.'),
});
export type ShopPictures = Static<typeof ShopPictures>;
