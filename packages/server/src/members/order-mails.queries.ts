import type { Queryable, Transaction } from '../db/database.ts';
import { empty, sql } from '../db/sql.ts';
import type { DocumentParts } from '../orders/document.ts';

export interface WaitingMember {
  store_id: string;
  owner_id: string;
  email: string;
  language: string;
  /** The last order that the member was mailed about. */
  order_mail_number: number;
  last_number: number;
}

/** A page of members with new orders whose last mail is from before this time. */
export const waiting = (
  db: Queryable,
  before: number,
  after: Pick<WaitingMember, 'store_id' | 'owner_id'> | undefined,
  limit: number,
) =>
  db.all<WaitingMember>(
    sql`select m.store_id, m.owner_id, o.email, o.language, m.order_mail_number, c.last_number
        from store_members m join store_clocks c on c.store_id = m.store_id join owners o on o.id = m.owner_id
        where m.is_order_mail and m.order_mail_at <= ${before} and c.last_number > m.order_mail_number
              ${after ? sql`and (m.store_id, m.owner_id) > (${after.store_id}, ${after.owner_id})` : empty}
        order by m.store_id, m.owner_id limit ${limit}`,
  );

/** Returns false if another process was first, or the member no longer wants mails. */
export const markMailed = async (tx: Transaction, member: WaitingMember, now: number) =>
  (await tx.run(
    sql`update store_members set order_mail_number = ${member.last_number}, order_mail_at = ${now}
        where store_id = ${member.store_id} and owner_id = ${member.owner_id} and is_order_mail
              and order_mail_number = ${member.order_mail_number}`,
  )) > 0;

/** The newest orders of a range. */
export const newOrders = (tx: Transaction, storeId: string, after: number, upTo: number, limit: number) =>
  tx.all<DocumentParts & { number: number; total_amount: number }>(
    sql`select number, total_amount, document_head, document, document_rest, document_tail from orders
        where store_id = ${storeId} and number > ${after} and number <= ${upTo} order by number desc limit ${limit}`,
  );

export const wanted = (db: Queryable, ownerId: string) =>
  db.all<{ store_id: string }>(
    sql`select store_id from store_members where owner_id = ${ownerId} and is_order_mail order by store_id`,
  );

export const lastNumber = async (db: Queryable, storeId: string) =>
  (await db.one<{ last_number: number }>(sql`select last_number from store_clocks where store_id = ${storeId}`))
    ?.last_number ?? 0;

/** Mails begin with the order after this number. */
export const switchOn = (db: Queryable, storeId: string, ownerId: string, number: number) =>
  db.run(
    sql`update store_members
        set is_order_mail = ${true}, order_mail_number = ${number}
        where store_id = ${storeId} and owner_id = ${ownerId} and not is_order_mail`,
  );

export const switchOff = (db: Queryable, storeId: string, ownerId: string) =>
  db.run(sql`update store_members set is_order_mail = ${false} where store_id = ${storeId} and owner_id = ${ownerId}`);
