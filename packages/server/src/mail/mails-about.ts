import type { Database, Queryable } from '../db/database.ts';
import { pagesById } from '../db/lists/walk.ts';
import type { MailKind, MailParams } from './kinds.ts';
import * as queries from './mails-about.queries.ts';

export type StoredMail = queries.StoredMail;

/** Mails to customers; all others are to the people who run a store. */
const toCustomers: ReadonlySet<string> = new Set<MailKind>(['shop_order', 'order_status', 'order_message']);

/** What a person's mails are recognized by. */
export interface MailSubject {
  hasEmail(address: string): boolean;
  /** The numbers of their orders. */
  orders: ReadonlySet<number>;
  /** Later mails to their address are to somebody else. */
  until: number;
}

interface MailsAbout {
  /** To the person. */
  received: StoredMail[];
  /** To members of the store, with the parameters that do not name the person. */
  naming: { mail: StoredMail; params: string }[];
}

/** The mails to a person, and those that name them, page by page. */
export async function* mailsAbout(
  db: Queryable,
  storeId: string,
  { hasEmail, orders: theirs, until }: MailSubject,
): AsyncGenerator<MailsAbout> {
  for await (const page of pagesById((after, limit) => queries.mailsAfter(db, storeId, after, limit))) {
    const received = page.filter(
      ({ kind, recipient, created_at }) => created_at <= until && toCustomers.has(kind) && hasEmail(recipient),
    );
    const naming = page.flatMap((mail) => {
      if (mail.kind !== 'new_orders' || mail.params === '{}') return [];
      const params = JSON.parse(mail.params) as MailParams['new_orders'];
      const orders = params.orders.map((order) => (theirs.has(order.number) ? { ...order, customer: '' } : order));
      const changed = JSON.stringify({ ...params, orders });
      return changed === mail.params ? [] : { mail, params: changed };
    });
    if (received.length || naming.length) yield { received, naming };
  }
}

/** Deletes the mails to a person, waiting ones too, and takes their name out of the others. */
export async function eraseMails(db: Database, storeId: string, subject: MailSubject) {
  for await (const { received, naming } of mailsAbout(db, storeId, subject))
    await db.transaction(
      async (tx) => {
        await queries.remove(
          tx,
          storeId,
          received.map(({ id }) => id),
        );
        for (const { mail, params } of naming) await queries.setParams(tx, storeId, mail.id, params);
      },
      { storeId },
    );
}
