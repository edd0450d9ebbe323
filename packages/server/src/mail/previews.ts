import { DAY } from '../time/duration.ts';
import type { MailKind, MailParams } from './kinds.ts';
import { type Rendered, render } from './render.ts';
import { letterOf } from './templates.ts';

const store = 'Tea House';
const timezone = 'Europe/Moscow';
const AT = Date.UTC(2026, 9, 1, 9);

const examples: { [Kind in MailKind]?: { title: string; params: MailParams[Kind]; path: string } } = {
  invitation: {
    title: 'Invitation',
    params: { store, inviter: 'Anna', role: 'manager' },
    path: '/console/invitation#…',
  },
  password_reset: { title: 'Password reset', params: {}, path: '/console/reset-password#…' },
  endpoint_failing: {
    title: 'An endpoint fails',
    params: { store, url: 'https://example.com/hooks', since: AT, timezone },
    path: '/console/stores/…/settings/webhooks/…',
  },
  endpoint_disabled: {
    title: 'An endpoint was switched off',
    params: { store, url: 'https://example.com/hooks' },
    path: '/console/stores/…/settings/webhooks/…',
  },
  keys_expiring: {
    title: 'Keys expire',
    params: { store, timezone, keys: [{ name: 'Site', expiresAt: AT + 14 * DAY }], more: 0 },
    path: '/console/stores/…/settings/api-keys',
  },
  new_orders: {
    title: 'New orders',
    params: {
      store,
      currency: 'RUB',
      orders: [
        { number: 1025, customer: 'Boris', total: 129_000 },
        { number: 1024, customer: 'Vera', total: 45_000 },
      ],
      more: 0,
    },
    path: '/console/stores/…/orders',
  },
  shop_order: {
    title: 'Order of a customer',
    params: {
      shop: store,
      number: 1025,
      currency: 'RUB',
      lines: [{ name: 'Green tea', quantity: 2, total: 129_000 }],
      more: 0,
      total: 129_000,
    },
    path: '/shop/tea/orders/…',
  },
};

/** The mails with example values, for the documentation. */
export const previews = (): (Rendered & { title: string })[] =>
  Object.entries(examples).flatMap(([kind, { title, params, path }]) =>
    (['en', 'ru'] as const).map((language) => {
      const letter = letterOf(kind as MailKind, language, params, `https://shop.example.com${path}`);
      return { title: language === 'en' ? title : `${title}, in Russian`, ...render(letter) };
    }),
  );
