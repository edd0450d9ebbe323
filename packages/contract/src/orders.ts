import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, Kopecks, listParameters, OrNull, Text, Uuid } from './common.ts';

export const OrderItem = Type.Object(
  {
    id: Uuid('Item identifier.'),
    productId: Uuid('Catalog product.'),
    externalProductId: Type.String({ description: 'Product id in an external system.' }),
    name: Type.String({ description: 'Product name as it was sold.' }),
    sku: Type.String({ description: 'Article as it was sold.' }),
    quantity: Type.Integer({ description: 'How many were sold.' }),
    unitPrice: Kopecks('Price of one unit.'),
    discount: Kopecks('Discount on the line.'),
    lineTotal: Kopecks('`unitPrice × quantity − discount`.'),
  },
  { description: 'A line of an order.' },
);
export type OrderItem = Static<typeof OrderItem>;

/** The parts of a delivery address, in the order they are shown. */
export const addressFields = ['address', 'city', 'region', 'street', 'house', 'flat', 'postalCode'] as const;
export type AddressField = (typeof addressFields)[number];

const address = {
  address: Text(500, 'Whole address in one line.'),
  city: Text(500, 'City.'),
  region: Text(500, 'Region.'),
  street: Text(500, 'Street.'),
  house: Text(500, 'House.'),
  flat: Text(500, 'Flat.'),
  postalCode: Text(500, 'Postal code.'),
};

const identity = {
  id: Uuid('Order identifier.'),
  number: Type.Integer({ description: 'Number of the order in its store, counted from 1.' }),
  externalId: Type.String({ description: 'Order id in an external system.' }),
  createdAt: Instant('Creation time.'),
};

/** What a key with `orders:write` alone gets of an order that it did not just create. */
export const OrderSummary = Type.Object(identity, {
  description: 'Which order it is; in place of the whole order for a key without the right `orders:read`.',
});
export type OrderSummary = Static<typeof OrderSummary>;

export const Order = Type.Object(
  {
    ...identity,
    updatedAt: Instant('Last change time.'),
    status: Type.Object(
      {
        id: Uuid('Identifier of the status.'),
        code: OrNull(Type.String(), 'System code; null for a status made through the API.'),
        name: Type.String({ description: 'Its present name.' }),
      },
      { description: 'Where the order stands.' },
    ),
    paymentStatus: Type.Object(
      {
        id: Uuid('Identifier of the payment status.'),
        code: OrNull(Type.String(), 'System code; null for a status made through the API.'),
        name: Type.String({ description: 'Its present name.' }),
        isPaid: Type.Boolean({ description: 'Whether the order counts as paid.' }),
      },
      { description: 'Whether and how it is paid.' },
    ),
    totalAmount: Kopecks('Order total.'),
    discountTotal: Kopecks('Total discount.'),
    promoCode: Type.String({ description: 'Promo code applied.' }),
    currency: Type.String({ description: 'Currency of the amounts.', examples: ['RUB'] }),
    customer: Type.Object(
      {
        id: OrNull(
          Type.String({ format: 'uuid' }),
          'The customer record; null when neither phone nor e-mail is known.',
        ),
        name: Type.String({ description: 'Name as it was sent.' }),
        phone: Type.String({ description: 'Phone as it was sent.' }),
        email: Type.String({ description: 'E-mail address as it was sent.' }),
      },
      { description: 'Who ordered.' },
    ),
    delivery: Type.Object(
      {
        typeId: OrNull(Type.String({ format: 'uuid' }), 'The delivery type chosen.'),
        type: Type.String({ description: 'Name of the delivery type when the order was made.' }),
        cost: Kopecks('Cost of delivery.'),
        discount: Kopecks('Discount on delivery.'),
        ...address,
      },
      { description: 'How and where it is delivered.' },
    ),
    paymentType: OrNull(
      Type.Object({
        id: Uuid('Identifier.'),
        code: Type.String({ description: 'Code.' }),
        name: Type.String({ description: 'Name.' }),
      }),
      'The payment type as it was when the order was made.',
    ),
    source: Type.String({ description: 'Origin: `api`, `manual` or `site`.', examples: ['api'] }),
    notes: Type.String({ description: 'Comment.' }),
    items: Type.Optional(Type.Array(OrderItem, { description: 'In the list only with `with=items`.' })),
  },
  { description: 'An order.' },
);
export type Order = Static<typeof Order>;

const status = Filter('System code of a status, for example `new`, or the id of any status of the store.');
const paymentStatus = Filter('System code of a payment status, for example `paid`, or the id of any of the store.');

export const OrderQuery = Body({
  'filter[status]': Type.Optional(status),
  'filter[paymentStatus]': Type.Optional(paymentStatus),
  'filter[externalId]': Type.Optional(Filter('External order id.')),
  ...listParameters,
  with: Type.Optional(Type.Enum(['items'], { type: 'string', description: 'Nests the items in each order.' })),
});
export type OrderQuery = Static<typeof OrderQuery>;

const customer = {
  name: Type.Optional(Text(200, 'Name.')),
  phone: Type.Optional(Text(50, 'Phone, in any notation.')),
  email: Type.Optional(Text(254, 'E-mail address.')),
};

const Amount = (description: string) => Type.Optional(Kopecks(description));

const optionalAddress = Object.fromEntries(addressFields.map((field) => [field, Type.Optional(address[field])])) as {
  [Field in AddressField]: ReturnType<typeof Type.Optional<(typeof address)[Field]>>;
};

export const OrderCreateItem = Body(
  {
    productId: Type.Optional(Uuid('Product by its id. Exactly one of `productId`, `sku`, `externalProductId`.')),
    sku: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Product by its article.' })),
    externalProductId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Product by its id in an external system.' }),
    ),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many are sold.' }),
    unitPrice: Amount('Price of one unit; the catalog price when left out.'),
    discount: Amount('Discount on the line.'),
  },
  {
    description: 'A line to be sold.',
    oneOf: [{ required: ['productId'] }, { required: ['sku'] }, { required: ['externalProductId'] }],
  },
);

export const OrderCreate = Body(
  {
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Order id in your system. A repeat with the same value returns the order already made.',
      }),
    ),
    customer: Type.Optional(
      Body(customer, { description: 'Who orders; matched to the customers of the store by phone, then by e-mail.' }),
    ),
    items: Type.Array(OrderCreateItem, {
      minItems: 1,
      maxItems: 500,
      description: 'The lines, in the order in which they are kept.',
    }),
    delivery: Type.Optional(
      Body(
        {
          typeId: Type.Optional(Uuid('A delivery type that the store has enabled.')),
          cost: Amount('Cost of delivery.'),
          discount: Amount('Discount on delivery; at most its cost.'),
          ...optionalAddress,
        },
        { description: 'How and where it is delivered.' },
      ),
    ),
    paymentTypeId: Type.Optional(Uuid('A payment type that the store has enabled.')),
    promoCode: Type.Optional(Text(100, 'Promo code applied.')),
    discount: Amount('Discount on the whole order.'),
    notes: Type.Optional(Text(5000, 'Comment.')),
  },
  { description: 'A new order.' },
);
export type OrderCreate = Static<typeof OrderCreate>;

export const OrderChange = Body(
  {
    status: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'System code of the new status.' })),
    statusId: Type.Optional(Uuid('The new status by its id; not together with `status`.')),
    paymentStatus: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'System code of the new payment status.' }),
    ),
    paymentStatusId: Type.Optional(Uuid('The new payment status by its id; not together with `paymentStatus`.')),
    notes: Type.Optional(Text(5000, 'Comment.')),
    customer: Type.Optional(Body(customer, { description: 'A changed phone or e-mail is matched anew.' })),
    delivery: Type.Optional(Body(optionalAddress, { description: 'Parts of the address.' })),
  },
  {
    description: 'Only the fields passed change.',
    minProperties: 1,
    dependentSchemas: {
      status: { properties: { statusId: false } },
      paymentStatus: { properties: { paymentStatusId: false } },
    },
  },
);
export type OrderChange = Static<typeof OrderChange>;
