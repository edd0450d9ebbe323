import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { empty, raw, sql } from '../db/sql.ts';
import { change, type Write } from '../db/write/plan.ts';

export interface PromoRow {
  store_id: string;
  id: string;
  /** As it was entered, and as codes are compared. */
  code: string;
  code_key: string;
  percent: number | null;
  amount: number | null;
  min_total: number;
  from_at: number | null;
  to_at: number | null;
  max_uses: number | null;
  uses: number;
  is_active: boolean;
  created_at: number;
}

const columns = raw(
  'store_id, id, code, code_key, percent, amount, min_total, from_at, to_at, max_uses, uses, is_active, created_at',
);

export const findByKey = (db: Queryable, storeId: string, key: string) =>
  db.one<PromoRow>(sql`select ${columns} from promo_codes where store_id = ${storeId} and code_key = ${key}`);

export const find = (db: Queryable, storeId: string, id: string) =>
  db.one<PromoRow>(sql`select ${columns} from promo_codes where store_id = ${storeId} and id = ${id}`);

export const findAnywhere = (db: Queryable, id: string) =>
  db.one<PromoRow>(sql`select ${columns} from promo_codes where id = ${id}`);

export const count = async (db: Queryable, storeId: string) =>
  Number(
    (await db.one<{ count: number }>(sql`select count(*) as count from promo_codes where store_id = ${storeId}`))
      ?.count,
  );

export const insert = (tx: Transaction, row: PromoRow) =>
  tx.run(
    sql`insert into promo_codes (store_id, id, code, code_key, percent, amount, min_total, from_at, to_at, max_uses,
          created_at)
        values (${row.store_id}, ${row.id}, ${row.code}, ${row.code_key}, ${row.percent}, ${row.amount},
          ${row.min_total}, ${row.from_at}, ${row.to_at}, ${row.max_uses}, ${row.created_at})`,
  );

/** Returns whether it was changed. */
export const setActive = async (tx: Transaction, storeId: string, id: string, isActive: boolean) =>
  (await tx.run(
    sql`update promo_codes set is_active = ${isActive}
        where store_id = ${storeId} and id = ${id} and is_active <> ${isActive}`,
  )) > 0;

/** Newest first: ids are in the order of time. */
export const list = (
  db: Queryable,
  storeId: string,
  { prefix, before, limit }: { prefix: string; before: string | undefined; limit: number },
) =>
  db.all<PromoRow>(
    sql`select ${columns} from promo_codes
        where store_id = ${storeId} ${prefix ? sql`and substr(code_key, 1, ${[...prefix].length}) = ${prefix}` : empty}
          ${before === undefined ? empty : sql`and id < ${before}`}
        order by id desc limit ${limit}`,
  );

export interface PromoSum {
  promo_code_id: string;
  revenue: number;
}

/** Sums of the totals of orders, neither cancelled nor returned, from an index alone; rounded beyond 2^53. */
export const revenues = (db: Queryable, storeId: string, ids: readonly string[]) =>
  db.all<PromoSum>(
    sql`select o.promo_code_id, sum(cast(o.total_amount as double precision)) as revenue from orders o
        where o.store_id = ${storeId} and o.promo_code_id is not null and o.promo_code_id in ${inList(db, ids, 'uuid')}
          and o.status_id not in (select s.id from order_statuses s
                                  where s.store_id = ${storeId} and s.status_group in ('cancelled', 'returned'))
        group by o.promo_code_id`,
  );

/** Orders that share a transaction add up, in any order. */
export const usedWrite = (storeId: string, id: string, uses: number): Write =>
  change(
    'promo_codes',
    () => sql`update promo_codes set uses = uses + ${uses} where store_id = ${storeId} and id = ${id}`,
  );
