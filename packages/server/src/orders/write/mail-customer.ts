import type { Actor } from '../../actor.ts';
import { type Notices, noticeWrites, readNotice } from '../../customer-mail/notices.ts';
import type { Queryable } from '../../db/database.ts';
import { type Change, writePlan } from '../../db/write/plan.ts';
import { DomainError, FieldErrors, notFound } from '../../domain-error.ts';
import { eventWrites } from '../../webhooks/outbox/outbox.ts';
import { readDocument, showOrder } from '../document.ts';
import * as queries from '../orders.queries.ts';

interface MailRequest {
  storeId: string;
  id: string;
  text: string;
  actor: Actor;
  now: number;
}

/** A mail to the customer of an order, with a text that a member has typed. */
export const mailCustomer = (notices: Notices | undefined, { storeId, id, text, actor, now }: MailRequest) =>
  writePlan({
    storeId,
    now,
    keys: [`order ${id}`],
    async read(tx: Queryable) {
      const order = await queries.findOrder(tx, storeId, id);
      if (!order) throw notFound('order');
      if (!notices) throw new DomainError('mail_off', 'This installation sends no mails.');
      const { email } = readDocument(order).customer;
      return { order, notice: await readNotice(tx, notices, { storeId, orderId: id, email, text, now }) };
    },
    apply({ order, notice }, clock): Change<undefined> {
      const errors = new FieldErrors();
      if (!text.trim()) errors.add('/text', 'too_short', 'must not be empty');
      errors.throwIfAny();
      if (!notice) throw new DomainError('no_mail_address', 'The customer of the order has no e-mail address.');
      if (!notice.isAllowed) throw new DomainError('too_many_mails', 'Too many mails were sent; try again later.');
      const shown = JSON.parse(showOrder(order, order).toString()).data;
      const source = { storeId, orderId: id, externalId: order.external_id ?? '', actor, now };
      const details = { mail: 'message', text: text.trim() };
      return {
        writes: [
          ...noticeWrites(notices as Notices, notice, shown, false, now),
          ...eventWrites(source, [{ type: 'order.mailed', details }], clock),
        ],
        result: undefined,
      };
    },
  });
