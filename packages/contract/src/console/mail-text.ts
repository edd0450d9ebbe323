import type { Language } from './values.ts';

export const MAX_MAIL_TEXT = 2000;

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
