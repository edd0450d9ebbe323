import { beforeAll, expect, test } from 'vitest';
import { isCitus } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { sql } from '../../db/sql.ts';
import { countStatement } from './count.queries.ts';

const service = await startService();
const { db } = service;

let shop: Awaited<ReturnType<typeof signedInOwner>>;
let choices: any;
const idOf = (code: string) => choices.statuses.find((status: any) => status.code === code).id;
const paymentOf = (code: string) => choices.paymentStatuses.find((status: any) => status.code === code).id;
beforeAll(async () => {
  shop = await signedInOwner(service);
  choices = (await shop.visitor.get(`${shop.path}/orders/choices`)).body;
  const [fresh, packing] = [idOf('new'), idOf('packing')];
  const [unpaid, paid] = [paymentOf('unpaid'), paymentOf('paid')];
  await insertOrders(
    db,
    shop.storeId,
    Array.from({ length: 10_012 }, (_, index) => ({
      status_id: index < 10 ? packing : fresh,
      payment_status_id: index < 3 ? paid : unpaid,
      // The largest possible amount: the sum of all exceeds a bigint.
      total_amount: index < 3 ? 100 + index : index < 10 ? 0 : Number.MAX_SAFE_INTEGER,
    })),
  );
  if (db.dialect.engine === 'postgres') await db.run(sql`analyze orders`);
});

const counts = async (query = '') => {
  const { all, statuses } = (await shop.visitor.get(`${shop.path}/orders/counts${query}`)).body;
  const of = (code: string) => statuses.find(({ id }: any) => id === idOf(code));
  return { all, statuses, of };
};

test('orders are counted by status, up to a limit; all of them by the last number', async () => {
  const { all, statuses, of } = await counts();
  expect(all).toMatchObject({ count: 10_012, isMore: false, isSumMore: true });
  expect(statuses).toHaveLength(6);
  expect(of('new')).toMatchObject({ count: 10_000, isMore: true });
  expect(of('packing')).toMatchObject({ count: 10, isMore: false });
  expect(of('returned')).toMatchObject({ count: 0, isMore: false });
});

test('the totals are added up, up to the same limit', async () => {
  const { all, of } = await counts();
  expect(of('packing')).toMatchObject({ sum: 303, isSumMore: false });
  expect(of('new').isSumMore).toBe(true);
  expect(of('new').sum / Number.MAX_SAFE_INTEGER).toBeCloseTo(10_001);
  expect(all.sum).toBe(of('new').sum + 303);
});

test('the counts follow the payment and date filters', async () => {
  const paid = await counts('?payment=paid');
  expect([paid.all, paid.of('packing').count, paid.of('new').count]).toEqual([
    { count: 3, isMore: false, sum: 303, isSumMore: false },
    ...[3, 0],
  ]);
  expect((await counts('?to=1970-01-02')).all).toMatchObject({ count: 10_010, isMore: true, isSumMore: true });
  expect((await counts('?from=2026-01-01')).all).toEqual({ count: 0, isMore: false, sum: 0, isSumMore: false });
  expect((await shop.visitor.get(`${shop.path}/orders/counts?payment=x`)).status).toBe(400);
  const other = await signedInOwner(service);
  expect((await other.visitor.get(`${shop.path}/orders/counts`)).status).toBe(404);
  expect((await other.visitor.get(`${other.path}/orders/counts`)).body.all.count).toBe(0);
});

test.skipIf(isCitus).each([
  { paymentStatusId: undefined, from: undefined, to: undefined },
  { paymentStatusId: undefined, from: 1, to: 2_000_000 },
  { paymentStatusId: 'paid', from: 1, to: 2_000_000 },
])('%j: counted from an index by status', async ({ paymentStatusId, ...range }) => {
  const filters = { paymentStatusId: paymentStatusId && paymentOf(paymentStatusId), ...range };
  const plan = await planOf(db, countStatement(db.dialect, shop.storeId, filters, 10_001), {
    without: ['seqscan', 'bitmapscan'],
  });
  expect(plan).toMatch(/ orders_status_/);
  if (db.dialect.engine === 'sqlite') expect(plan).toContain('COVERING INDEX orders_status_');
});
