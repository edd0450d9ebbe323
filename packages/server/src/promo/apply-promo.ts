import type { AppliedPromoCode, FoundPromoCode, PromoRefusal } from '@store-sales/contract/console';
import { type PricedLine, type PromoTerms, promoDiscount, reachesMinimum } from '@store-sales/contract/totals';
import type { StoreClock } from '../db/clock/store-clock.ts';
import type { Queryable } from '../db/database.ts';
import type { Write } from '../db/write/plan.ts';
import { nameKey } from '../text/names.ts';
import { iso } from '../time/instant.ts';
import * as queries from './promo.queries.ts';

export type { PromoRow } from './promo.queries.ts';

/** The code as a person typed it; undefined if the store has none like it. */
export const findPromo = (db: Queryable, storeId: string, code: string) =>
  queries.findByKey(db, storeId, nameKey(code));

export const findPromoById = queries.find;

export const isSameCode = (a: string, b: string) => nameKey(a) === nameKey(b);

export const termsOf = ({ percent, amount, min_total }: queries.PromoRow): PromoTerms => ({
  percent,
  amount,
  minTotal: min_total,
});

/** Why a code does not apply to an order now, whatever its lines are. */
function refusalOf(row: queries.PromoRow | undefined, uses: number, now: number): PromoRefusal | undefined {
  if (!row) return 'unknown';
  if (!row.is_active) return 'disabled';
  if (row.from_at !== null && now < row.from_at) return 'not_yet';
  if (row.to_at !== null && now > row.to_at) return 'expired';
  return row.max_uses !== null && uses >= row.max_uses ? 'used_up' : undefined;
}

/** A code that an order uses, and what it takes off. */
export interface Applied {
  row: queries.PromoRow;
  discount: number;
}

export interface Refused {
  refusal: PromoRefusal;
  row: queries.PromoRow | undefined;
}

export interface PromoRequest {
  lines: readonly PricedLine[];
  /** Another discount on the order, of which a code takes the rest at most. */
  discount: number;
  now: number;
}

/** What a code takes off an order that does not use it yet, or why it does not apply. */
export function applyPromo(
  row: queries.PromoRow | undefined,
  { lines, discount, now }: PromoRequest,
  /** In a plan: plans that share the transaction may have used it. */
  clock?: StoreClock,
): Applied | Refused {
  const uses = (row?.uses ?? 0) + (row && clock ? writtenUses(row.id, clock) : 0);
  const refusal = refusalOf(row, uses, now);
  if (refusal || !row) return { refusal: refusal ?? 'unknown', row };
  if (!reachesMinimum(termsOf(row), lines)) return { refusal: 'minimum', row };
  return { row, discount: promoDiscount(termsOf(row), lines, discount) };
}

const keyOf = (id: string) => `promo code ${id}`;
const writtenUses = (id: string, clock: StoreClock) => clock.written.get(keyOf(id)) ?? 0;

/** The code that an order uses counts one use, unless the order is cancelled. */
export function useWrites(
  storeId: string,
  before: string | null,
  after: string | null,
  clock: StoreClock,
): readonly Write[] {
  if (before === after) return [];
  const change = (id: string, uses: 1 | -1) => {
    clock.written.set(keyOf(id), writtenUses(id, clock) + uses);
    return queries.usedWrite(storeId, id, uses);
  };
  return [...(before === null ? [] : [change(before, -1)]), ...(after === null ? [] : [change(after, 1)])];
}

/** The code as a person types it into the form of an order. */
export async function lookUpPromo(db: Queryable, storeId: string, code: string, now: number): Promise<FoundPromoCode> {
  const row = await findPromo(db, storeId, code);
  return { refusal: refusalOf(row, row?.uses ?? 0, now) ?? null, terms: row ? termsOf(row) : null };
}

/** The code that an order uses, with its terms. */
export async function promoOf(
  db: Queryable,
  storeId: string,
  { promo_code_id, promo_discount }: { promo_code_id: string | null; promo_discount: number },
): Promise<AppliedPromoCode | null> {
  const row = promo_code_id === null ? undefined : await queries.find(db, storeId, promo_code_id);
  return row ? { id: row.id, discount: promo_discount, ...termsOf(row) } : null;
}

/** For programs and people who read English. */
export function refusalMessage({ refusal, row }: Refused): string {
  const messages: Record<PromoRefusal, string> = {
    unknown: 'does not match any promo code of this store',
    disabled: 'is switched off',
    not_yet: `is not valid before ${iso(row?.from_at ?? 0)}`,
    expired: `was valid until ${iso(row?.to_at ?? 0)}`,
    used_up: 'has no uses left',
    minimum: `needs lines that add up to at least ${row?.min_total} kopecks`,
  };
  return messages[refusal];
}
