import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface ShopRow {
  store_id: string;
  slug: string;
  is_enabled: boolean;
  /** Whether other sites may read the catalog as feeds. */
  is_in_feeds: boolean;
  title: string;
  about: string;
  contacts: string;
  language: 'en' | 'ru';
  accent: string;
  smallest_order: number;
  delivery: string | null;
  payments: string | null;
}

export interface OpenShopRow extends ShopRow {
  owner_id: string;
  store_name: string;
  currency: string;
  timezone: string;
  updated_at: number;
  /** The change number of the store. */
  seq: number;
  ts: number;
}

/** An enabled shop of an active store. In two steps, because a distributed database has the clock where the store is. */
export async function findOpen(db: Queryable, slug: string): Promise<OpenShopRow | undefined> {
  const shop = await db.one<OpenShopRow>(
    sql`select h.*, s.owner_id, s.name as store_name, s.currency, s.timezone from shops h
        join stores s on s.id = h.store_id where h.slug = ${slug} and h.is_enabled and s.is_active`,
  );
  const clock =
    shop &&
    (await db.one<{ seq: number; ts: number }>(
      sql`select seq, ts from store_clocks where store_id = ${shop.store_id}`,
    ));
  return clock && { ...shop, ...clock };
}

export const findByStore = (db: Queryable, storeId: string) =>
  db.one<ShopRow>(sql`select * from shops where store_id = ${storeId}`);

export type SavedShop = Omit<ShopRow, 'store_id'>;

export const saveSettings = (tx: Transaction, storeId: string, row: SavedShop, now: number) =>
  tx.run(
    sql`insert into shops (store_id, slug, is_enabled, is_in_feeds, title, about, contacts, language, accent, smallest_order, delivery,
          payments, created_at, updated_at)
        values (${storeId}, ${row.slug}, ${row.is_enabled}, ${row.is_in_feeds}, ${row.title}, ${row.about}, ${row.contacts},
          ${row.language}, ${row.accent}, ${row.smallest_order}, ${row.delivery}, ${row.payments}, ${now}, ${now})
        on conflict (store_id) do update
        set slug = excluded.slug, is_enabled = excluded.is_enabled, is_in_feeds = excluded.is_in_feeds,
          title = excluded.title, about = excluded.about, contacts = excluded.contacts, language = excluded.language, accent = excluded.accent,
          smallest_order = excluded.smallest_order, delivery = excluded.delivery, payments = excluded.payments,
          updated_at = excluded.updated_at`,
  );

export const save = (tx: Transaction, storeId: string, slug: string, isEnabled: boolean, now: number) =>
  tx.run(
    sql`insert into shops (store_id, slug, is_enabled, is_in_feeds, created_at, updated_at)
        values (${storeId}, ${slug}, ${isEnabled}, ${false}, ${now}, ${now})
        on conflict (store_id) do update
        set slug = excluded.slug, is_enabled = excluded.is_enabled, updated_at = excluded.updated_at`,
  );

export const saveFeeds = (tx: Transaction, storeId: string, isInFeeds: boolean, now: number) =>
  tx.run(sql`update shops set is_in_feeds = ${isInFeeds}, updated_at = ${now} where store_id = ${storeId}`);

/** The addresses of open shops, the oldest first. */
export const openSlugs = (db: Queryable, limit: number) =>
  db.all<{ slug: string }>(
    sql`select h.slug from shops h join stores s on s.id = h.store_id
        where h.is_enabled and s.is_active order by h.created_at, h.store_id limit ${limit}`,
  );

export const findOrder = (db: Queryable, storeId: string, secretHash: string) =>
  db.one<{ order_id: string }>(
    sql`select order_id from shop_orders where store_id = ${storeId} and secret_hash = ${secretHash}`,
  );
