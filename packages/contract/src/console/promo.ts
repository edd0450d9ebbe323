import Type, { type Static } from 'typebox';
import { Body, Filter, Instant, Kopecks, OneOf, OrNull } from '../api/common.ts';
import { MAX_AMOUNT } from '../api/values.ts';
import { promoRefusals } from './errors.ts';

export const MAX_PROMO_CODE_LENGTH = 100;

const terms = {
  percent: OrNull(
    Type.Integer({ minimum: 1, maximum: 100 }),
    'Of the sum of the lines; null if it takes off an amount.',
  ),
  amount: OrNull(Kopecks('What it takes off.'), 'Null if it takes off a percentage.'),
  minTotal: Kopecks('Smallest sum of the lines, inclusive.'),
};

export const PromoCode = Type.Object({
  id: Type.String(),
  code: Type.String({ description: 'As it was entered.' }),
  ...terms,
  from: OrNull(Instant('First instant at which it applies.'), 'Null if it applies at once.'),
  to: OrNull(Instant('Last instant at which it applies.'), 'Null if it has no end.'),
  maxUses: OrNull(Type.Integer({ minimum: 1 }), 'Null if there is no limit.'),
  uses: Type.Integer({ minimum: 0, description: 'Orders that use it, without cancelled ones.' }),
  revenue: Type.Number({ minimum: 0, description: 'Sum of the totals of these orders, without returned ones.' }),
  isActive: Type.Boolean(),
  createdAt: Instant('Creation time.'),
});
export type PromoCode = Static<typeof PromoCode>;

export const PromoCodeQuery = Body({
  q: Type.Optional(Filter('Start of the code.', MAX_PROMO_CODE_LENGTH)),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
export type PromoCodeQuery = Static<typeof PromoCodeQuery>;

export const PromoCodePage = Type.Object({
  codes: Type.Array(PromoCode, { description: 'Newest first.' }),
  nextCursor: OrNull(Type.String(), 'Null on the last page.'),
});
export type PromoCodePage = Static<typeof PromoCodePage>;

export const CreatePromoCode = Body({
  code: Type.String({
    minLength: 1,
    maxLength: MAX_PROMO_CODE_LENGTH,
    description: 'Unique in the store, case-insensitive.',
  }),
  percent: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Percentage of the sum of the lines.' }),
  ),
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'Instead of a percentage, in kopecks.' }),
  ),
  minTotal: Type.Optional(Kopecks('Smallest sum of the lines, inclusive.')),
  from: Type.Optional(Instant('First instant at which it applies.')),
  to: Type.Optional(Instant('Last instant at which it applies.')),
  maxUses: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'How many orders may use it.' })),
});
export type CreatePromoCode = Static<typeof CreatePromoCode>;

export const SwitchPromoCode = Body({ isActive: Type.Boolean() });
export type SwitchPromoCode = Static<typeof SwitchPromoCode>;

export const PromoLookup = Body({ code: Filter('A code as a person types it.', MAX_PROMO_CODE_LENGTH) });
export type PromoLookup = Static<typeof PromoLookup>;

/** A promo code as the form of an order needs it. */
export const FoundPromoCode = Type.Object({
  refusal: OrNull(OneOf(promoRefusals, 'Why it does not apply, whatever the lines are.'), 'Null if it applies.'),
  terms: OrNull(Type.Object(terms), 'Null if there is no such code.'),
});
export type FoundPromoCode = Static<typeof FoundPromoCode>;

/** The promo code that an order uses, and what it takes off. */
export const AppliedPromoCode = Type.Object({
  id: Type.String(),
  discount: Kopecks('Part of the discount.'),
  ...terms,
});
export type AppliedPromoCode = Static<typeof AppliedPromoCode>;
