import type { Queryable } from '../db/database.ts';
import { type Applied, applyPromo, findPromo, type Refused } from '../promo/apply-promo.ts';
import { nameKey } from '../text/names.ts';
import { shortHash } from '../text/short-hash.ts';
import { HOUR } from '../time/duration.ts';
import type { CartLine } from './cart.ts';
import { orderLimit } from './order-limit.ts';
import { pricedLines } from './place-order.ts';
import type { Shop } from './shops.ts';

/** What the code that a customer typed takes off, or why it does not apply. */
export type ShownPromo = Applied | Refused | TooMany;

interface TooMany {
  /** Seconds. */
  wait: number;
}

/** Different codes that a network may try in an hour. */
const MAX_CODES_PER_HOUR = 30;

/** Looks up what customers type, at most so many different codes from one network, so that nobody can guess them. */
export function promoCodes(db: Queryable, perMinute: number, now: () => number) {
  const limits = [orderLimit(perMinute), orderLimit(MAX_CODES_PER_HOUR, HOUR)];
  return async (
    { storeId }: Shop,
    cart: readonly CartLine[],
    code: string,
    network: string,
  ): Promise<ShownPromo | undefined> => {
    if (!code) return undefined;
    const at = now();
    const tried = shortHash(`${storeId} ${nameKey(code)}`);
    for (const limit of limits) {
      const wait = limit.take(network, tried, at);
      if (wait) return { wait };
    }
    const row = await findPromo(db, storeId, code);
    return applyPromo(row, { lines: pricedLines(cart), discount: 0, now: at });
  };
}

export const discountOf = (promo: ShownPromo | undefined) => (promo && 'discount' in promo ? promo.discount : 0);

/** Comes back with the form, to notice that the customer has not seen yet what the code takes off. */
export const shownPromo = (promo: ShownPromo | undefined) =>
  promo && 'discount' in promo ? `${promo.row.id} ${promo.discount}` : '';
