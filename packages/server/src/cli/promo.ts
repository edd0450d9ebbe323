import { findStore } from '../accounts/stores.ts';
import { allPromoCodes, createPromoCode, switchPromoCode } from '../promo/promo-codes.ts';
import { parseInstant } from '../time/instant.ts';
import { print, UsageError } from './output.ts';
import { withDatabase } from './session.ts';

interface Json {
  json?: boolean;
}

interface CreateOptions extends Json {
  store: string;
  code: string;
  percent?: string;
  amount?: string;
  minTotal?: string;
  from?: string;
  to?: string;
  maxUses?: string;
}

export const promoCreate = ({ store, code, percent, amount, minTotal, from, to, maxUses, json }: CreateOptions) =>
  withDatabase(async ({ db, now }) => {
    if ((percent === undefined) === (amount === undefined)) throw new UsageError('Pass either --percent or --amount.');
    const sent = {
      code,
      ...(percent !== undefined && { percent: wholeNumber('--percent', percent, 1, 100) }),
      ...(amount !== undefined && { amount: wholeNumber('--amount', amount, 1) }),
      ...(minTotal !== undefined && { minTotal: wholeNumber('--min-total', minTotal, 0) }),
      ...(from !== undefined && { from: dateTime(from) }),
      ...(to !== undefined && { to: dateTime(to) }),
      ...(maxUses !== undefined && { maxUses: wholeNumber('--max-uses', maxUses, 1) }),
    };
    const { id: storeId } = await findStore(db, store);
    const created = await createPromoCode(db, storeId, sent, now);
    print({ id: created.id, code: created.code }, json);
  });

export const promoList = ({ store, json }: Json & { store: string }) =>
  withDatabase(async ({ db }) => {
    const { id } = await findStore(db, store);
    print(await allPromoCodes(db, id), json);
  });

export const promoDisable = (id: string, { json }: Json) =>
  withDatabase(async ({ db, now }) => {
    const { id: promoId, code, isActive } = await switchPromoCode(db, id, false, now);
    print({ id: promoId, code, isActive }, json);
  });

function wholeNumber(option: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max) throw new UsageError(`${option} must be a whole number from ${min} to ${max}.`);
  return value;
}

function dateTime(text: string): string {
  if (parseInstant(text) === undefined)
    throw new UsageError(`${text} is not a date-time such as 2026-09-27T13:15:30+03:00.`);
  return text;
}
