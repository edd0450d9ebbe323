import Type, { type Static } from 'typebox';
import {
  Body,
  EmailOrEmpty,
  Filter,
  Instant,
  Kopecks,
  listParameters,
  MAX_METADATA_KEYS,
  Metadata,
  MetadataFilter,
  OneOf,
  OrNull,
  Text,
  Uuid,
  UuidOrEmpty,
} from './common.ts';
import { productKeyNames, productKeys } from './product-keys.ts';
import { orderSources } from './values.ts';

export const MAX_ORDER_ITEMS = 500;

export const OrderItem = Type.Object(
  {
    id: Uuid('Item identifier.'),
    productId: Uuid('Id of the product in the catalog.'),
    externalProductId: Type.String({ description: 'Product id in an external system.' }),
    name: Type.String({ description: 'Product name at the time of sale.' }),
    sku: Type.String({ description: 'SKU at the time of sale.' }),
    quantity: Type.Integer({ description: 'Quantity.' }),
    unitPrice: Kopecks('Price of one unit.'),
    discount: Kopecks('Discount on the line.'),
    lineTotal: Kopecks('`unitPrice × quantity − discount`.'),
  },
  { description: 'An order line.' },
);
export type OrderItem = Static<typeof OrderItem>;

/** Fields of a delivery address, in display order. */
export const addressFields = ['address', 'city', 'region', 'street', 'house', 'flat', 'postalCode'] as const;
export type AddressField = (typeof addressFields)[number];

const address = {
  address: Text(500, 'Full address.'),
  city: Text(500, 'City.'),
  region: Text(500, 'Region.'),
  street: Text(500, 'Street.'),
  house: Text(500, 'House.'),
  flat: Text(500, 'Flat.'),
  postalCode: Text(500, 'Postal code.'),
};

const identity = {
  id: Uuid('Order identifier.'),
  number: Type.Integer({ description: 'Sequential order number in the store, starting at 1.' }),
  externalId: Type.String({ description: 'Order id in an external system.' }),
  createdAt: Instant('Creation time.'),
};

export const OrderSummary = Type.Object(identity, {
  description: 'Identifies an order. Returned instead of the order to a key without the right `orders:read`.',
});
export type OrderSummary = Static<typeof OrderSummary>;

/** The fields of the specification in its order, then the others. A response has them in the same order. */
export const Order = Type.Object(
  {
    id: identity.id,
    externalId: identity.externalId,
    createdAt: identity.createdAt,
    updatedAt: Instant('Time of the last change.'),
    status: Type.Object(
      {
        id: Uuid('Identifier of the status.'),
        code: OrNull(Type.String(), 'System code; null for a custom status.'),
        name: Type.String({ description: 'Current name of the status.' }),
      },
      { description: 'Status of the order.' },
    ),
    paymentStatus: Type.Object(
      {
        id: Uuid('Identifier of the payment status.'),
        code: OrNull(Type.String(), 'System code; null for a custom status.'),
        name: Type.String({ description: 'Current name of the status.' }),
        isPaid: Type.Boolean({ description: 'Whether the order counts as paid.' }),
      },
      { description: 'Payment status of the order.' },
    ),
    totalAmount: Kopecks('Order total.'),
    discountTotal: Kopecks('Total discount.'),
    promoCode: Type.String({ description: 'Promo code applied.' }),
    currency: Type.String({ description: 'Currency of the amounts.', examples: ['RUB'] }),
    customer: Type.Object(
      {
        id: OrNull(
          Type.String({ format: 'uuid' }),
          'Id of the customer record; null if the order has neither phone nor e-mail.',
        ),
        name: Type.String({ description: 'Name, as given in the order.' }),
        phone: Type.String({ description: 'Phone number, as given in the order.' }),
        email: Type.String({ description: 'E-mail address, as given in the order.' }),
      },
      { description: 'The buyer.' },
    ),
    delivery: Type.Object(
      {
        type: Type.String({ description: 'Name of the delivery type when it was chosen.' }),
        cost: Kopecks('Cost of delivery.'),
        discount: Kopecks('Discount on delivery.'),
        ...address,
        typeId: OrNull(Type.String({ format: 'uuid' }), 'Id of the delivery type; null if there is none.'),
        trackingNumber: Type.String({ description: 'Number of the parcel at the carrier.' }),
        trackingUrl: Type.String({
          description:
            'Where the parcel can be tracked: the address template of the delivery type with the number in it; empty if there is none.',
        }),
      },
      { description: 'Delivery type, cost and address.' },
    ),
    source: Type.String({ description: 'Origin of the order: `api`, `manual` or `site`.', examples: ['api'] }),
    notes: Type.String({ description: 'Order comment.' }),
    items: Type.Optional(Type.Array(OrderItem, { description: 'Order lines. In lists, only with `with=items`.' })),
    paidAmount: Kopecks('What has been paid.'),
    number: identity.number,
    metadata: Metadata('Your own data.'),
    paymentType: OrNull(
      Type.Object({
        id: Uuid('Identifier.'),
        code: Type.String({ description: 'Code.' }),
        name: Type.String({ description: 'Name.' }),
      }),
      'The payment type as it was when it was chosen; null if there is none.',
    ),
  },
  { description: 'An order.' },
);
export type Order = Static<typeof Order>;

const status = Filter('System code of a status, for example `new`, or the id of any status of the store.');
const paymentStatus = Filter(
  'System code of a payment status, for example `paid`, or the id of any payment status of the store.',
);

export const OrderQuery = Body({
  'filter[status]': Type.Optional(status),
  'filter[paymentStatus]': Type.Optional(paymentStatus),
  'filter[externalId]': Type.Optional(Filter('Order id in an external system.')),
  'filter[number]': Type.Optional(Type.Integer({ description: 'Order number.' })),
  'filter[customerId]': Type.Optional({ ...Filter('Id of the customer record.'), format: 'uuid' }),
  'filter[phone]': Type.Optional(
    Filter('Phone of the order, in any notation. Eleven digits that begin with `8`, without `+`, match `+7…`.'),
  ),
  'filter[email]': Type.Optional(Filter('E-mail address of the order, case-insensitive.')),
  'filter[source]': Type.Optional(OneOf(orderSources, 'Origin of the order.')),
  'filter[metadata]': Type.Optional(
    MetadataFilter('Values of your own data, each as `filter[metadata][KEY]=VALUE`; an order must have all of them.'),
  ),
  ...listParameters,
  with: Type.Optional(Type.Enum(['items'], { type: 'string', description: 'Include the items of each order.' })),
});
export type OrderQuery = Static<typeof OrderQuery>;

const customer = {
  name: Type.Optional(Text(200, 'Name.')),
  phone: Type.Optional(Text(50, 'Phone number, in any notation.')),
  email: Type.Optional(EmailOrEmpty('E-mail address.')),
};

const trackingNumber = Type.Optional(Text(100, 'Number of the parcel at the carrier.'));

const Amount = (description: string) => Type.Optional(Kopecks(description));

const optionalAddress = Object.fromEntries(addressFields.map((field) => [field, Type.Optional(address[field])])) as {
  [Field in AddressField]: ReturnType<typeof Type.Optional<(typeof address)[Field]>>;
};

const Quantity = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description });

export const OrderCreateItem = Body(
  {
    ...productKeys,
    quantity: Quantity('Quantity.'),
    unitPrice: Amount('Price of one unit. Defaults to the catalog price.'),
    discount: Amount('Discount on the line.'),
  },
  {
    description: 'A new order line.',
    oneOf: productKeyNames.map((name) => ({ required: [name] })),
  },
);

export const OrderCreate = Body(
  {
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Order id in your system. Repeating a request with the same value returns the existing order.',
      }),
    ),
    customer: Type.Optional(
      Body(customer, { description: 'The buyer, matched to an existing customer by phone, then by e-mail.' }),
    ),
    items: Type.Array(OrderCreateItem, {
      minItems: 1,
      maxItems: MAX_ORDER_ITEMS,
      description: 'Order lines. Their sequence is kept.',
    }),
    delivery: Type.Optional(
      Body(
        {
          typeId: Type.Optional(Uuid('Id of a delivery type enabled in the store.')),
          cost: Amount('Cost of delivery.'),
          discount: Amount('Discount on delivery. Cannot exceed the cost.'),
          ...optionalAddress,
          trackingNumber,
        },
        { description: 'Delivery type, cost and address.' },
      ),
    ),
    paymentTypeId: Type.Optional(Uuid('Id of a payment type enabled in the store.')),
    promoCode: Type.Optional(Text(100, 'Promo code.')),
    discount: Amount('Discount on the whole order.'),
    notes: Type.Optional(Text(5000, 'Order comment.')),
    metadata: Type.Optional(Metadata('Your own data, at most 20 keys.', { maxProperties: MAX_METADATA_KEYS })),
  },
  { description: 'A new order.' },
);
export type OrderCreate = Static<typeof OrderCreate>;

export const OrderChangeItem = Body(
  {
    id: Type.Optional(Uuid('Id of a line of this order. It keeps its product, name and SKU, and all fields not sent.')),
    ...productKeys,
    productId: Type.Optional(
      Uuid('Id of the product of a new line. Send exactly one of `id`, `productId`, `sku` and `externalProductId`.'),
    ),
    quantity: Type.Optional(Quantity('Quantity. Required for a new line.')),
    unitPrice: Amount('Price of one unit. A new line defaults to the catalog price.'),
    discount: Amount('Discount on the line.'),
  },
  {
    description: 'A line of the order, or a new one.',
    oneOf: ['id', ...productKeyNames].map((name) => ({ required: [name] })),
    dependentRequired: Object.fromEntries(productKeyNames.map((name) => [name, ['quantity']])),
  },
);

export const OrderChange = Body(
  {
    status: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'System code of the new status.' })),
    statusId: Type.Optional(Uuid('Id of the new status. Cannot be combined with `status`.')),
    paymentStatus: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'System code of the new payment status.' }),
    ),
    paymentStatusId: Type.Optional(Uuid('Id of the new payment status. Cannot be combined with `paymentStatus`.')),
    notes: Type.Optional(Text(5000, 'Order comment.')),
    customer: Type.Optional(
      Body(customer, { description: 'The buyer. A changed phone or e-mail is matched to a customer again.' }),
    ),
    items: Type.Optional(
      Type.Array(OrderChangeItem, {
        minItems: 1,
        maxItems: MAX_ORDER_ITEMS,
        description: 'All order lines, in their new sequence. Lines that are not sent are removed.',
      }),
    ),
    delivery: Type.Optional(
      Body(
        {
          typeId: Type.Optional(UuidOrEmpty('Id of a delivery type enabled in the store; `""` removes it.')),
          cost: Amount('Cost of delivery.'),
          discount: Amount('Discount on delivery. Cannot exceed the cost.'),
          ...optionalAddress,
          trackingNumber,
        },
        { description: 'Delivery type, cost and address.' },
      ),
    ),
    paymentTypeId: Type.Optional(UuidOrEmpty('Id of a payment type enabled in the store; `""` removes it.')),
    promoCode: Type.Optional(Text(100, 'Promo code.')),
    discount: Amount('Discount on the whole order.'),
    paidAmount: Amount(
      'What has been paid. If it is not sent, a new payment status sets it: one that counts as paid to the total, `unpaid` and `refunded` to 0.',
    ),
    metadata: Type.Optional(
      Metadata('Keys to set; `""` removes a key, and the others stay. An order has at most 20 keys.'),
    ),
  },
  {
    description: 'Fields that are not sent stay unchanged.',
    minProperties: 1,
    // Not `false`: generators fail on boolean schemas.
    dependentSchemas: {
      status: { properties: { statusId: { not: {} } } },
      paymentStatus: { properties: { paymentStatusId: { not: {} } } },
    },
  },
);
export type OrderChange = Static<typeof OrderChange>;
