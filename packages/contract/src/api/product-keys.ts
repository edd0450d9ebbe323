import Type from 'typebox';
import { Uuid } from './common.ts';

/** How a line names its product. */
export const productKeys = {
  productId: Type.Optional(Uuid('Id of the product. Send exactly one of `productId`, `sku` and `externalProductId`.')),
  sku: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'SKU of the product.' })),
  externalProductId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Product id in an external system.' }),
  ),
};

export const productKeyNames = Object.keys(productKeys) as (keyof typeof productKeys)[];
