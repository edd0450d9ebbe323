import type { Config } from '../config.ts';
import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { DAY, HOUR } from '../duration.ts';
import { mailAddress } from '../mail-address.ts';
import { sealer } from '../secrets.ts';
import type { Language, MailKind, MailParams } from './kinds.ts';
import * as queries from './outbox.queries.ts';
import { wake } from './wake.ts';

/** Stands for the store in mails that belong to an account. */
export const NO_STORE = '00000000-0000-0000-0000-000000000000';

export interface NewMail<Kind extends MailKind = MailKind> {
  storeId?: string;
  to: string;
  language: Language;
  kind: Kind;
  params: MailParams[Kind];
  /** Stored encrypted. */
  link: string;
  /** The mail is useless afterwards and is not sent. */
  expiresAt?: number;
}

interface Limit {
  per: 'recipient' | 'store';
  max: number;
  within: number;
}

/** For mails that someone can cause to the addresses of others. Those of one kind do not use up the limit of another. */
const limits: Partial<Record<MailKind, Limit[]>> = {
  invitation: [
    { per: 'store', max: 20, within: HOUR },
    { per: 'recipient', max: 5, within: HOUR },
  ],
  password_reset: [{ per: 'recipient', max: 3, within: HOUR }],
  shop_order: [
    { per: 'store', max: 200, within: HOUR },
    { per: 'recipient', max: 3, within: HOUR },
    { per: 'recipient', max: 10, within: DAY },
  ],
};

/** Sent mails are kept this long, because they count for limits. */
export const LONGEST_LIMIT = DAY;

export interface MailOutbox {
  /**
   * Adds a mail in the transaction of the change that it describes. Returns false, and adds nothing, for an address
   * that cannot be mailed to and above a limit. Limits are exact only under a lock.
   */
  add<Kind extends MailKind>(tx: Transaction, mail: NewMail<Kind>, now: number): Promise<boolean>;
}

/** Undefined if mail is off. */
export function mailOutbox({ SMTP_URL, SECRET_KEY }: Pick<Config, 'SMTP_URL' | 'SECRET_KEY'>): MailOutbox | undefined {
  if (!SMTP_URL) return undefined;
  const { seal } = sealer(SECRET_KEY);

  return {
    async add(tx, { storeId = NO_STORE, to, language, kind, params, link, expiresAt }, now) {
      const recipient = mailAddress(to);
      if (!recipient) return false;
      const limitKey = limitKeyOf(recipient);
      for (const { per, max, within } of limits[kind] ?? []) {
        const since = now - within;
        const count =
          per === 'store'
            ? await queries.countOfStore(tx, storeId, kind, since)
            : await queries.countToRecipient(tx, limitKey, kind, since);
        if (count >= max) return false;
      }
      await queries.insert(tx, {
        store_id: storeId,
        id: uuid(now),
        kind,
        recipient,
        limit_key: limitKey,
        language,
        params: JSON.stringify(params),
        secret: seal(link),
        created_at: now,
        expires_at: expiresAt ?? null,
      });
      tx.onCommit(wake);
      return true;
    },
  };
}

/** One mailbox has many spellings: `Anna+1@` and `anna@` count together. */
function limitKeyOf(address: string): string {
  const [local = '', domain = ''] = address.normalize('NFKC').toLowerCase().split('@');
  return `${local.replace(/(.)\+.*$/, '$1')}@${domain}`;
}
