import { createHmac } from 'node:crypto';
import type { Order } from '@store-sales/contract';
import { mailParagraphs } from '@store-sales/contract/console';
import { balanceOf } from '@store-sales/contract/totals';
import type { Config } from '../config.ts';
import type { Queryable } from '../db/database.ts';
import { insert, type Write } from '../db/write/plan.ts';
import { mailAddress } from '../mail/mail-address.ts';
import { type MailOutbox, mailOutbox } from '../mail/outbox.ts';
import { hashOf, keyFor } from '../secrets.ts';
import { moneyFormat } from '../text/money.ts';
import * as queries from './customer-mail.queries.ts';

/** What mails to customers need; there is none if mail is off. */
export interface Notices {
  outbox: MailOutbox;
  publicUrl(): string;
  key: Buffer;
}

export function noticesOf(
  config: Pick<Config, 'SMTP_URL' | 'SECRET_KEY'>,
  publicUrl: () => string,
): Notices | undefined {
  const outbox = mailOutbox(config);
  return outbox && { outbox, publicUrl, key: keyFor(config.SECRET_KEY[0], 'customer page') };
}

/** `text`: what a member has typed; else the text of the status. */
interface NoticeRequest {
  storeId: string;
  orderId: string;
  email: string;
  statusId?: string;
  text?: string;
  now: number;
}

/** What was read for a mail to the customer of an order. */
export interface NoticeFacts {
  storeId: string;
  orderId: string;
  kind: 'order_status' | 'order_message';
  to: string;
  texts: { en: string; ru: string };
  sender: queries.SenderRow;
  replyTo: string;
  /** False above a limit. */
  isAllowed: boolean;
  /** The secret address of the order, if the store's order page is open. */
  address: { link: string; hash: string; isNew: boolean } | undefined;
}

/** Undefined if there is nothing to send, or nobody to send it to. */
export async function readNotice(
  tx: Queryable,
  notices: Notices,
  { storeId, orderId, email, statusId, text, now }: NoticeRequest,
): Promise<NoticeFacts | undefined> {
  const to = mailAddress(email);
  if (!to) return undefined;
  const status = statusId === undefined ? undefined : await queries.enabledTexts(tx, storeId, statusId);
  const texts = text === undefined ? status && { en: status.text_en, ru: status.text_ru } : { en: text, ru: text };
  const sender = texts && (await queries.findSender(tx, storeId));
  if (!sender) return undefined;
  const kind = text === undefined ? 'order_status' : 'order_message';
  return {
    storeId,
    orderId,
    kind,
    to,
    texts,
    sender,
    replyTo: (await queries.findSeller(tx, storeId))?.email ?? '',
    isAllowed: await notices.outbox.mayMail(tx, { storeId, to, kind }, now),
    address: sender.is_open ? await addressOf(tx, notices, { storeId, orderId, slug: sender.slug ?? '' }) : undefined,
  };
}

/** Derived from the order, so that all its mails have the same link, and the database has only a hash. */
async function addressOf(
  tx: Queryable,
  { key, publicUrl }: Notices,
  { storeId, orderId, slug }: { storeId: string; orderId: string; slug: string },
) {
  const secret = createHmac('sha256', key).update(`${storeId} ${orderId}`).digest('base64url').slice(0, 32);
  const hash = hashOf(secret);
  const link = `${publicUrl()}/shop/${slug}/orders/${secret}`;
  return { link, hash, isNew: !(await queries.hasAddress(tx, storeId, hash)) };
}

/** The mail, for the transaction of the change that it is about. None above the limit. */
export function noticeWrites(
  { outbox }: Notices,
  { storeId, orderId, kind, to, texts, sender, replyTo, isAllowed, address }: NoticeFacts,
  order: Order,
  isClosed: boolean,
  now: number,
): Write[] {
  if (!isAllowed) return [];
  const preferred = sender.language ?? (sender.currency === 'RUB' ? 'ru' : 'en');
  const language = texts[preferred] ? preferred : preferred === 'en' ? 'ru' : 'en';
  const store = sender.title || sender.name;
  const { trackingNumber, trackingUrl } = order.delivery;
  const money = moneyFormat(language, order.currency);
  const values = {
    number: String(order.number),
    customer: nameOf(order.customer.name),
    total: money(order.totalAmount),
    due: money(balanceOf(order, isClosed).due),
    status: order.status.name,
    tracking: trackingNumber,
    store,
  };
  const mail = {
    storeId,
    to,
    language,
    kind,
    params: {
      store,
      number: order.number,
      // A member means what they type.
      paragraphs: mailParagraphs(texts[language], kind === 'order_message' ? {} : values),
      trackingNumber,
      trackingUrl,
      replyTo,
    },
    link: address?.link ?? '',
  } as const;
  return [...(address?.isNew ? [orderAddress(storeId, address.hash, orderId, now)] : []), outbox.mail(mail, now)];
}

/** The secret address of an order is stored as a hash. */
export const orderAddress = (storeId: string, hash: string, orderId: string, now: number): Write =>
  insert(queries.orderAddresses, [{ store_id: storeId, secret_hash: hash, order_id: orderId, created_at: now }]);

/** Customers type their names themselves, so that a name with an advertisement or an address is left out. */
export const nameOf = (text: string) => (/^\p{L}[\p{L}\p{M}'’ -]{0,59}$/u.test(text.trim()) ? text.trim() : '');
