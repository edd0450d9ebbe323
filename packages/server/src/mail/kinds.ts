import type { Role } from '@store-sales/contract/console';

export type Language = 'en' | 'ru';

/** A mail to the customer of an order. */
interface OrderLetter {
  store: string;
  number: number;
  paragraphs: string[];
  trackingNumber: string;
  trackingUrl: string;
  /** Empty for none. */
  replyTo: string;
}

/** What each kind of mail needs besides its link. Stored as JSON until the mail is sent, so it has no secrets. */
export interface MailParams {
  invitation: { store: string; inviter: string | null; role: Role };
  password_reset: Record<string, never>;
  endpoint_failing: { store: string; url: string; since: number; timezone: string };
  endpoint_disabled: { store: string; url: string };
  keys_expiring: { store: string; timezone: string; keys: { name: string; expiresAt: number }[]; more: number };
  new_orders: {
    store: string;
    currency: string;
    orders: { number: number; customer: string; total: number }[];
    more: number;
  };
  shop_order: {
    shop: string;
    number: number;
    currency: string;
    lines: { name: string; quantity: number; total: number }[];
    more: number;
    total: number;
  };
  order_status: OrderLetter;
  order_message: OrderLetter;
  test: Record<string, never>;
}

export type MailKind = keyof MailParams;

export const asLanguage = (text: string): Language => (text === 'ru' ? 'ru' : 'en');
