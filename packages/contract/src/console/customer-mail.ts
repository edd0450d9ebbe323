import Type, { type Static } from 'typebox';
import { Body, Text } from '../api/common.ts';
import type { Language } from './values.ts';

export const MAX_MAIL_TEXT = 2000;

/** What customers are told by mail when their order gets a status. */
export const StatusMail = Type.Object({
  statusId: Type.String(),
  isEnabled: Type.Boolean(),
  textEn: Type.String(),
  textRu: Type.String(),
});
export type StatusMail = Static<typeof StatusMail>;

export const SaveStatusMail = Body({
  isEnabled: Type.Boolean(),
  textEn: Text(MAX_MAIL_TEXT, 'Text in English.'),
  textRu: Text(MAX_MAIL_TEXT, 'Text in Russian.'),
});
export type SaveStatusMail = Static<typeof SaveStatusMail>;

export const MailCustomer = Body({
  text: Type.String({ minLength: 1, maxLength: MAX_MAIL_TEXT, description: 'Plain text.' }),
});
export type MailCustomer = Static<typeof MailCustomer>;

/** Who sells: on documents, and where customers answer to. */
export const Seller = Type.Object({
  name: Type.String(),
  address: Type.String(),
  taxNumber: Type.String(),
  email: Type.String({ description: 'Where customers answer to.' }),
});
export type Seller = Static<typeof Seller>;

export const SaveSeller = Body({
  name: Text(200, 'Name of the company or person.'),
  address: Text(500, 'Address.'),
  taxNumber: Text(100, 'Tax number.'),
  email: Text(254, 'Where customers answer to; empty for none.'),
});
export type SaveSeller = Static<typeof SaveSeller>;

/** What `{name}` in the text of a mail stands for. */
export const mailVariables = ['number', 'customer', 'total', 'due', 'status', 'tracking', 'store'] as const;
export type MailValues = Record<(typeof mailVariables)[number], string>;

/** The paragraphs of a text, with its variables. A line that only has variables without a value is left out. */
export const mailParagraphs = (text: string, values: Partial<MailValues>): string[] =>
  text.split(/\r\n|\r|\n/).flatMap((line) => {
    const filled = line.replace(/\{(\w+)\}/g, (all, name: string) => values[name as keyof MailValues] ?? all);
    return filled.trim() ? [filled.trim()] : [];
  });

/** What a mail to a customer has beside its text. */
export const customerMailWords: Record<
  Language,
  Record<'subject' | 'order' | 'parcel' | 'note', (value: string, store: string) => string>
> = {
  en: {
    subject: (number, store) => `${store}: order ${number}`,
    order: () => 'See your order and its status',
    parcel: (number) => `Track the parcel ${number}`,
    note: (_, store) =>
      `You get this mail because you ordered at ${store}. Anyone with a link in it can see the order.`,
  },
  ru: {
    subject: (number, store) => `${store}: заказ ${number}`,
    order: () => 'Посмотреть заказ и его статус',
    parcel: (number) => `Отследить посылку ${number}`,
    note: (_, store) =>
      `Вы получили это письмо, потому что сделали заказ в магазине «${store}». По ссылке из него заказ увидит любой.`,
  },
};
