import { type CreatePromoCode, MAX_PROMO_CODE_LENGTH, type PromoCode } from '@store-sales/contract/console';
import { type Actor, system } from '../actor.ts';
import { lockClock } from '../db/clock/store-clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { CursorScope } from '../db/lists/cursor.ts';
import { asUuid, uuid } from '../db/uuid.ts';
import { DomainError, FieldErrors, notFound } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import type { Services } from '../services.ts';
import { nameKey } from '../text/names.ts';
import { iso, parseInstant } from '../time/instant.ts';
import * as queries from './promo.queries.ts';

const PAGE_SIZE = 50;
const BATCH_SIZE = 500;

type Stored = Omit<PromoCode, 'revenue'>;

/** The terms of a code never change, so that orders keep what they were given. */
export async function createPromoCode(
  db: Database,
  storeId: string,
  sent: CreatePromoCode,
  now: number,
  actor: Actor = system,
): Promise<Stored> {
  const row = rowOf(storeId, sent, now);
  return db.transaction(async (tx) => {
    await tx.lock(storeId, ['promo-codes']);
    requireBelowLimit('promo_codes', await queries.count(tx, storeId));
    if (await queries.findByKey(tx, storeId, row.code_key))
      throw new DomainError('code_taken', `The store already has the promo code "${row.code}".`);
    await queries.insert(tx, row);
    const subject = subjectOf(row);
    await recordHistory(tx, { scopeId: storeId, actor, action: 'created', subject, details: detailsOf(sent), at: now });
    return view(row);
  });
}

function rowOf(storeId: string, sent: CreatePromoCode, now: number): queries.PromoRow {
  const errors = new FieldErrors();
  const code = sent.code.trim();
  if (!code) errors.add('/code', 'too_short', 'must not be empty');
  if ([...code].length > MAX_PROMO_CODE_LENGTH)
    errors.add('/code', 'too_long', `must have at most ${MAX_PROMO_CODE_LENGTH} characters`);
  // Nobody could type it into a form.
  if (/\p{Cc}/u.test(code)) errors.add('/code', 'invalid_characters', 'must not contain control characters');
  if (sent.percent === undefined && sent.amount === undefined)
    errors.add('/percent', 'required', 'is required, or else an amount');
  if (sent.percent !== undefined && sent.amount !== undefined)
    errors.add('/amount', 'conflict', 'cannot be combined with a percentage');
  const from = sent.from === undefined ? null : (parseInstant(sent.from, 'up') ?? null);
  const to = sent.to === undefined ? null : (parseInstant(sent.to) ?? null);
  if (from !== null && to !== null && to < from) errors.add('/to', 'too_small', 'must not be before the start');
  errors.throwIfAny();
  return {
    store_id: storeId,
    id: uuid(now),
    code,
    code_key: nameKey(code),
    percent: sent.percent ?? null,
    amount: sent.amount ?? null,
    min_total: sent.minTotal ?? 0,
    from_at: from,
    to_at: to,
    max_uses: sent.maxUses ?? null,
    uses: 0,
    is_active: true,
    created_at: now,
  };
}

/** Newest first. */
export async function listPromoCodes(
  db: Queryable,
  storeId: string,
  { prefix = '', before, limit }: { prefix?: string | undefined; before?: string | undefined; limit: number },
): Promise<PromoCode[]> {
  const rows = await queries.list(db, storeId, { prefix: nameKey(prefix), before, limit });
  const sums = await queries.revenues(
    db,
    storeId,
    rows.map(({ id }) => id),
  );
  const revenues = new Map(sums.map(({ promo_code_id, revenue }) => [promo_code_id, Number(revenue)]));
  return rows.map((row) => withRevenue(view(row), revenues.get(row.id)));
}

/** A page of codes that begin with `prefix`, newest first. */
export async function promoCodePage(
  { db, cursors }: Pick<Services, 'db' | 'cursors'>,
  storeId: string,
  { q, cursor }: { q?: string | undefined; cursor?: string | undefined },
) {
  const scope: CursorScope = { resource: 'promo_codes', storeId, order: 'createdAt:desc' };
  const before = cursor === undefined ? undefined : String(cursors.read(scope, cursor)[1]);
  const found = await listPromoCodes(db, storeId, { prefix: q, before, limit: PAGE_SIZE + 1 });
  const codes = found.slice(0, PAGE_SIZE);
  const last = codes.at(-1);
  const nextCursor = found.length > PAGE_SIZE && last ? cursors.write(scope, [0, last.id]) : null;
  return { codes, nextCursor };
}

/** All codes, newest first. */
export async function allPromoCodes(db: Queryable, storeId: string): Promise<PromoCode[]> {
  const codes: PromoCode[] = [];
  for (;;) {
    const found = await listPromoCodes(db, storeId, { before: codes.at(-1)?.id, limit: BATCH_SIZE });
    codes.push(...found);
    if (found.length < BATCH_SIZE) return codes;
  }
}

/** A code that is switched off applies to no further order; orders that use it keep it. Without `storeId`, any store's. */
export async function switchPromoCode(
  db: Database,
  id: string,
  isActive: boolean,
  now: number,
  { storeId, actor = system }: { storeId?: string; actor?: Actor } = {},
): Promise<PromoCode> {
  const validId = asUuid(id);
  const found = validId && (await (storeId ? queries.find(db, storeId, validId) : queries.findAnywhere(db, validId)));
  if (!found) throw notFound('promo code');
  await db.transaction(
    async (tx) => {
      // Orders read the code under this lock.
      await lockClock(tx, found.store_id);
      if (!(await queries.setActive(tx, found.store_id, found.id, isActive))) return;
      const action = isActive ? 'enabled' : 'disabled';
      await recordHistory(tx, { scopeId: found.store_id, actor, action, subject: subjectOf(found), at: now });
    },
    { storeId: found.store_id },
  );
  const row = (await queries.find(db, found.store_id, found.id)) as queries.PromoRow;
  const [sum] = await queries.revenues(db, row.store_id, [row.id]);
  return withRevenue(view(row), sum?.revenue);
}

const detailsOf = ({ code: _, ...terms }: CreatePromoCode) => terms;

const subjectOf = ({ id, code }: queries.PromoRow) => ({ kind: 'promo_code' as const, id, name: code });

const time = (instant: number | null) => (instant === null ? null : iso(instant));

const view = (row: queries.PromoRow): Stored => ({
  id: row.id,
  code: row.code,
  percent: row.percent,
  amount: row.amount,
  minTotal: row.min_total,
  from: time(row.from_at),
  to: time(row.to_at),
  maxUses: row.max_uses,
  uses: row.uses,
  isActive: row.is_active,
  createdAt: iso(row.created_at),
});

function withRevenue({ isActive, createdAt, ...code }: Stored, revenue = 0): PromoCode {
  return { ...code, revenue: Number(revenue), isActive, createdAt };
}
