import { configuredUrl } from '../config.ts';
import { asLanguage } from '../mail/kinds.ts';
import { mailOutbox } from '../mail/outbox.ts';
import { storeForMail } from '../mail/team.ts';
import { readDocument } from '../orders/document.ts';
import type { Services } from '../services.ts';
import { MINUTE } from '../time/duration.ts';
import * as queries from './order-mails.queries.ts';

/** A member gets at most one mail in this time; it lists all orders since the last one. */
const GAP = MINUTE;
const BATCH_SIZE = 500;
/** Orders in one mail; the others are counted. */
const MAX_LISTED = 20;

/**
 * Mails members about the orders that are new since their last mail. Orders have consecutive numbers in the order of
 * their commits, so creating an order costs nothing more, and none is missed or mailed twice.
 */
export async function mailAboutOrders({ config, db, now }: Services) {
  const outbox = mailOutbox(config);
  if (!outbox) return;
  const at = now();
  for (let last: queries.WaitingMember | undefined; ; ) {
    const page = await queries.waiting(db, at - GAP, last, BATCH_SIZE);
    for (const member of page) {
      const { store_id: storeId, order_mail_number: before, last_number: upTo } = member;
      await db.transaction(
        async (tx) => {
          const store = await storeForMail(tx, storeId);
          if (!store || !(await queries.markMailed(tx, member, at))) return;
          const rows = await queries.newOrders(tx, storeId, before, upTo, MAX_LISTED);
          const orders = rows.map(({ number, total_amount, ...stored }) => {
            const { name, phone, email } = readDocument(stored).customer;
            return { number, customer: (name || phone || email).slice(0, 100), total: total_amount };
          });
          const params = { store: store.name, currency: store.currency, orders, more: upTo - before - orders.length };
          const link = `${configuredUrl(config)}/console/stores/${storeId}/orders`;
          const language = asLanguage(member.language);
          await outbox.add(tx, { storeId, to: member.email, language, kind: 'new_orders', params, link }, at);
        },
        { storeId },
      );
    }
    last = page.at(-1);
    if (page.length < BATCH_SIZE) return;
  }
}

/** The stores whose orders the account is mailed about. */
export const orderMailStores = async (db: Services['db'], accountId: string) =>
  (await queries.wanted(db, accountId)).map(({ store_id }) => store_id);

export async function setOrderMail(db: Services['db'], storeId: string, accountId: string, isOn: boolean) {
  if (isOn) await queries.switchOn(db, storeId, accountId, await queries.lastNumber(db, storeId));
  else await queries.switchOff(db, storeId, accountId);
}
