import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { rowTable } from '../db/write/row-table.ts';

export interface StatusMailRow {
  status_id: string;
  is_enabled: boolean;
  text_en: string;
  text_ru: string;
}

/** Of every status. */
export const listStatusMails = (db: Queryable, storeId: string) =>
  db.all<StatusMailRow>(
    sql`select s.id as status_id, coalesce(m.is_enabled, false) as is_enabled, coalesce(m.text_en, '') as text_en,
          coalesce(m.text_ru, '') as text_ru
        from order_statuses s left join status_mails m on m.store_id = ${storeId} and m.status_id = s.id
        where s.store_id = ${storeId} order by s.sort_order, s.id`,
  );

export const findStatus = (db: Queryable, storeId: string, id: string) =>
  db.one<{ id: string; name: string }>(
    sql`select id, name from order_statuses where store_id = ${storeId} and id = ${id}`,
  );

export const saveStatusMail = (tx: Transaction, storeId: string, row: StatusMailRow, now: number) =>
  tx.run(
    sql`insert into status_mails (store_id, status_id, is_enabled, text_en, text_ru, updated_at)
        values (${storeId}, ${row.status_id}, ${row.is_enabled}, ${row.text_en}, ${row.text_ru}, ${now})
        on conflict (store_id, status_id) do update
        set is_enabled = excluded.is_enabled, text_en = excluded.text_en, text_ru = excluded.text_ru,
          updated_at = excluded.updated_at`,
  );

export const enabledTexts = (db: Queryable, storeId: string, statusId: string) =>
  db.one<{ text_en: string; text_ru: string }>(
    sql`select text_en, text_ru from status_mails
        where store_id = ${storeId} and status_id = ${statusId} and is_enabled`,
  );

export interface SenderRow {
  name: string;
  currency: string;
  /** Null if the store has no order page. */
  slug: string | null;
  is_open: boolean | null;
  title: string | null;
  language: 'en' | 'ru' | null;
}

/** In whose name a mail is sent. */
export const findSender = (db: Queryable, storeId: string) =>
  db.one<SenderRow>(
    sql`select s.name, s.currency, h.slug, h.is_enabled as is_open, h.title, h.language
        from stores s left join shops h on h.store_id = ${storeId} where s.id = ${storeId}`,
  );

export const hasAddress = async (db: Queryable, storeId: string, secretHash: string) =>
  (await db.one(sql`select order_id from shop_orders where store_id = ${storeId} and secret_hash = ${secretHash}`)) !==
  undefined;

/** The secret addresses of orders. */
export const orderAddresses = rowTable('shop_orders', {
  store_id: 'uuid',
  secret_hash: 'text',
  order_id: 'uuid',
  created_at: 'instant',
});

export interface SellerRow {
  name: string;
  address: string;
  tax_number: string;
  email: string;
}

export const findSeller = (db: Queryable, storeId: string) =>
  db.one<SellerRow>(sql`select name, address, tax_number, email from sellers where store_id = ${storeId}`);

export const saveSeller = (tx: Transaction, storeId: string, row: SellerRow, now: number) =>
  tx.run(
    sql`insert into sellers (store_id, name, address, tax_number, email, updated_at)
        values (${storeId}, ${row.name}, ${row.address}, ${row.tax_number}, ${row.email}, ${now})
        on conflict (store_id) do update
        set name = excluded.name, address = excluded.address, tax_number = excluded.tax_number, email = excluded.email,
          updated_at = excluded.updated_at`,
  );
