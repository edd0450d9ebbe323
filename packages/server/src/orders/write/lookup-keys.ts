import { emailKey, phoneKey } from '../../customers/contact.ts';
import { shortHash } from '../../text/short-hash.ts';
import type { OrderDocument } from '../document.ts';

/**
 * Keys by which a list of orders is filtered and that are no columns: the order's own phone and e-mail, compared as when
 * a customer is matched, and its metadata. The first letter is the kind.
 */
export const lookupKey = {
  phone: (phone: string) => keyOf('p', phoneKey(phone)),
  email: (email: string) => keyOf('e', emailKey(email)),
  /** Of a phone or an e-mail as it is compared. */
  phoneKey: (key: string) => `p${key}`,
  emailKey: (key: string) => `e${key}`,
  // Of one length, as a value may have 500 characters.
  metadata: (name: string, value: string) => `m${shortHash(`${name}=${value}`)}`,
};

const keyOf = (kind: string, value: string | null) => value && kind + value;

/** The keys of an order. */
export const lookupKeysOf = ({ customer, metadata }: Pick<OrderDocument, 'customer' | 'metadata'>): string[] => [
  ...[lookupKey.phone(customer.phone), lookupKey.email(customer.email)].filter((key) => key !== null),
  ...Object.entries(metadata).map(([name, value]) => lookupKey.metadata(name, value)),
];
