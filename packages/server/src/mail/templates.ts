import { customerMailWords, type Role } from '@store-sales/contract/console';
import { moneyFormat } from '../text/money.ts';
import type { Language, MailKind, MailParams } from './kinds.ts';

/** A mail as plain text in parts, from which its text and its HTML are made. */
export interface Letter {
  subject: string;
  paragraphs: string[];
  list?: string[];
  link?: { label: string; url: string };
  /** Of a carrier. */
  parcel?: { label: string; url: string };
  replyTo?: string;
  /** Small print. */
  note?: string;
}

type Template<Params> = (params: Params, link: string) => Letter;
type Templates = { [Kind in MailKind]: Template<MailParams[Kind]> };

const roles: Record<Language, Record<Role, string>> = {
  en: { owner: 'owner', manager: 'manager', integrator: 'integrator', viewer: 'viewer' },
  ru: { owner: 'владелец', manager: 'менеджер', integrator: 'интегратор', viewer: 'наблюдатель' },
};

const time = (language: Language, timezone: string, at: number) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: timezone }).format(at);

const plural = (language: Language, count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>) =>
  `${count} ${forms[new Intl.PluralRules(language).select(count)] ?? forms.other}`;

const withMore = (lines: string[], more: number, text: (count: number) => string) =>
  more > 0 ? [...lines, text(more)] : lines;

/** The text is the store's; nothing but its own links is one. */
const ofOrder =
  (language: Language): Template<MailParams['order_status']> =>
  ({ store, number, paragraphs, trackingNumber, trackingUrl, replyTo }, url) => {
    const words = customerMailWords[language];
    return {
      subject: words.subject(String(number), store),
      paragraphs,
      ...(url && { link: { label: words.order('', store), url } }),
      ...(trackingUrl && { parcel: { label: words.parcel(trackingNumber, store), url: trackingUrl } }),
      note: words.note('', store),
      replyTo,
    };
  };

const en: Templates = {
  invitation: ({ store, inviter, role }, url) => ({
    subject: `Invitation to ${store}`,
    paragraphs: [
      inviter ? `${inviter} invites you to the store ${store}.` : `You are invited to the store ${store}.`,
      `Your role will be: ${roles.en[role]}. The link is valid for 7 days and works once.`,
    ],
    link: { label: 'Accept the invitation', url },
    note: 'If you do not know this store, ignore this mail.',
  }),
  password_reset: (_, url) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Someone, probably you, asked for a new password for your account.',
      'The link is valid for one hour and works once. After that you are signed out everywhere.',
    ],
    link: { label: 'Choose a new password', url },
    note: 'If it was not you, ignore this mail: your password stays as it is.',
  }),
  endpoint_failing: ({ store, url: endpoint, since, timezone }, url) => ({
    subject: `${store}: a webhook endpoint is failing`,
    paragraphs: [
      `The webhook endpoint ${endpoint} of the store ${store} has been failing since ${time('en', timezone, since)}.`,
      'If this goes on, it is switched off and gets no more events.',
    ],
    link: { label: 'Open the endpoint', url },
  }),
  endpoint_disabled: ({ store, url: endpoint }, url) => ({
    subject: `${store}: a webhook endpoint was switched off`,
    paragraphs: [
      `The webhook endpoint ${endpoint} of the store ${store} kept failing and was switched off. It gets no more events.`,
      'When it works again, switch it on in the console. There you can also send the missed events.',
    ],
    link: { label: 'Open the endpoint', url },
  }),
  keys_expiring: ({ store, timezone, keys, more }, url) => ({
    subject: `${store}: API keys expire soon`,
    paragraphs: [
      `These API keys of the store ${store} expire soon. Programs that use them stop working then.`,
      'Create new keys in the console and replace the old ones in time.',
    ],
    list: withMore(
      keys.map(({ name, expiresAt }) => `${name}: ${time('en', timezone, expiresAt)}`),
      more,
      (count) => `and ${count} more`,
    ),
    link: { label: 'Open the API keys', url },
  }),
  new_orders({ store, currency, orders, more }, url) {
    const money = moneyFormat('en', currency);
    const count = orders.length + more;
    const [first] = orders;
    return {
      subject: count === 1 ? `${store}: new order ${first?.number}` : `${store}: ${count} new orders`,
      paragraphs: [`The store ${store} has ${plural('en', count, { one: 'new order', other: 'new orders' })}.`],
      list: withMore(
        orders.map(({ number, customer, total }) =>
          [`No. ${number}`, customer, money(total)].filter(Boolean).join(', '),
        ),
        more,
        (rest) => `and ${rest} more`,
      ),
      link: { label: 'Open the orders', url },
      note: 'You get these mails because you switched them on. Switch them off under your account in the console.',
    };
  },
  shop_order({ shop, number, currency, lines, more, total }, url) {
    const money = moneyFormat('en', currency);
    return {
      subject: `${shop}: your order ${number}`,
      paragraphs: [`Thank you for your order ${number} at ${shop}.`],
      list: [
        ...withMore(
          lines.map((line) => `${line.name} × ${line.quantity}: ${money(line.total)}`),
          more,
          (count) => `and ${count} more`,
        ),
        `Total: ${money(total)}`,
      ],
      link: { label: 'See your order and its status', url },
      note: 'Anyone with this link can see the order. If you did not order anything, ignore this mail.',
    };
  },
  order_status: ofOrder('en'),
  order_message: ofOrder('en'),
  test: () => ({
    subject: 'Test mail',
    paragraphs: ['Mail works: this mail was sent by the command store-sales mail test.'],
  }),
};

const ru: Templates = {
  invitation: ({ store, inviter, role }, url) => ({
    subject: `Приглашение в магазин «${store}»`,
    paragraphs: [
      inviter ? `${inviter} приглашает вас в магазин «${store}».` : `Вас приглашают в магазин «${store}».`,
      `Ваша роль: ${roles.ru[role]}. Ссылка действует 7 дней и срабатывает один раз.`,
    ],
    link: { label: 'Принять приглашение', url },
    note: 'Если вы не знаете этот магазин, не обращайте внимания на письмо.',
  }),
  password_reset: (_, url) => ({
    subject: 'Новый пароль',
    paragraphs: [
      'Кто-то, вероятно вы, запросил новый пароль для вашего аккаунта.',
      'Ссылка действует один час и срабатывает один раз. После этого вы выйдете на всех устройствах.',
    ],
    link: { label: 'Задать новый пароль', url },
    note: 'Если это были не вы, не обращайте внимания на письмо: пароль останется прежним.',
  }),
  endpoint_failing: ({ store, url: endpoint, since, timezone }, url) => ({
    subject: `${store}: вебхук не отвечает`,
    paragraphs: [
      `Адрес вебхука ${endpoint} магазина «${store}» отвечает ошибками с ${time('ru', timezone, since)}.`,
      'Если так продолжится, он будет отключён и перестанет получать события.',
    ],
    link: { label: 'Открыть вебхук', url },
  }),
  endpoint_disabled: ({ store, url: endpoint }, url) => ({
    subject: `${store}: вебхук отключён`,
    paragraphs: [
      `Адрес вебхука ${endpoint} магазина «${store}» долго отвечал ошибками и был отключён. Он больше не получает события.`,
      'Когда он снова заработает, включите его в консоли. Там же можно отправить пропущенные события.',
    ],
    link: { label: 'Открыть вебхук', url },
  }),
  keys_expiring: ({ store, timezone, keys, more }, url) => ({
    subject: `${store}: истекает срок API-ключей`,
    paragraphs: [
      `Скоро истечёт срок этих API-ключей магазина «${store}». Программы, которые ими пользуются, перестанут работать.`,
      'Создайте в консоли новые ключи и вовремя замените старые.',
    ],
    list: withMore(
      keys.map(({ name, expiresAt }) => `${name}: ${time('ru', timezone, expiresAt)}`),
      more,
      (count) => `и ещё ${count}`,
    ),
    link: { label: 'Открыть API-ключи', url },
  }),
  new_orders({ store, currency, orders, more }, url) {
    const money = moneyFormat('ru', currency);
    const count = orders.length + more;
    const [first] = orders;
    const counted = plural('ru', count, { one: 'новый заказ', few: 'новых заказа', other: 'новых заказов' });
    return {
      subject: count === 1 ? `${store}: новый заказ ${first?.number}` : `${store}: ${counted}`,
      paragraphs: [`В магазине «${store}» ${counted}.`],
      list: withMore(
        orders.map(({ number, customer, total }) => [`№ ${number}`, customer, money(total)].filter(Boolean).join(', ')),
        more,
        (rest) => `и ещё ${rest}`,
      ),
      link: { label: 'Открыть заказы', url },
      note: 'Вы получаете эти письма, потому что включили их. Отключить их можно в консоли, на странице аккаунта.',
    };
  },
  shop_order({ shop, number, currency, lines, more, total }, url) {
    const money = moneyFormat('ru', currency);
    return {
      subject: `${shop}: ваш заказ ${number}`,
      paragraphs: [`Спасибо за заказ ${number} в магазине «${shop}».`],
      list: [
        ...withMore(
          lines.map((line) => `${line.name} × ${line.quantity}: ${money(line.total)}`),
          more,
          (count) => `и ещё ${count}`,
        ),
        `Итого: ${money(total)}`,
      ],
      link: { label: 'Посмотреть заказ и его статус', url },
      note: 'По этой ссылке заказ увидит любой. Если вы ничего не заказывали, не обращайте внимания на письмо.',
    };
  },
  order_status: ofOrder('ru'),
  order_message: ofOrder('ru'),
  test: () => ({
    subject: 'Проверочное письмо',
    paragraphs: ['Почта работает: это письмо отправлено командой store-sales mail test.'],
  }),
};

const templates: Record<Language, Templates> = { en, ru };

export function letterOf<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  params: MailParams[Kind],
  link = '',
): Letter {
  const template: Template<MailParams[Kind]> = templates[language][kind];
  return template(params, link);
}
