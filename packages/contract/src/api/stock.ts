import Type, { type Static } from 'typebox';
import { Body, Uuid } from './common.ts';
import { productKeyNames, productKeys } from './product-keys.ts';

export const MAX_QUANTITY = 1_000_000_000;
export const Quantity = (description: string) =>
  Type.Optional(Type.Integer({ minimum: -MAX_QUANTITY, maximum: MAX_QUANTITY, description }));

export const StockLine = Body(
  {
    ...productKeys,
    warehouseId: Type.Optional(Uuid('Id of the warehouse. Defaults to the first active warehouse of the store.')),
    quantity: Quantity('The quantity that is there now. Send exactly one of `quantity` and `change`.'),
    change: Quantity('What is added; negative to take away.'),
  },
  {
    description: 'The stock of a product in a warehouse.',
    allOf: [productKeyNames, ['quantity', 'change']].map((names) => ({
      oneOf: names.map((name) => ({ required: [name] })),
    })),
  },
);
export type StockLine = Static<typeof StockLine>;

export const StockChange = Body(
  { lines: Type.Array(StockLine, { minItems: 1, maxItems: 500, description: 'Each product and warehouse once.' }) },
  { description: 'Quantities to set or to change, all of them or none.' },
);
export type StockChange = Static<typeof StockChange>;

export const StockQuantity = Type.Object(
  {
    productId: Uuid('Id of the product.'),
    warehouseId: Uuid('Id of the warehouse.'),
    quantity: Type.Integer({ description: 'Quantity in the warehouse; may be negative.' }),
  },
  { description: 'The stock of a product in a warehouse.' },
);
export type StockQuantity = Static<typeof StockQuantity>;
