import type { Config } from '../config.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { insert, type Write } from '../db/write/plan.ts';
import { sealer } from '../secrets.ts';
import { DAY, HOUR } from '../time/duration.ts';
import type { Language, MailKind, MailParams } from './kinds.ts';
import { mailAddress } from './mail-address.ts';
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
  order_status: [
    { per: 'store', max: 500, within: HOUR },
    { per: 'recipient', max: 10, within: HOUR },
    { per: 'recipient', max: 30, within: DAY },
  ],
  order_message: [
    { per: 'store', max: 60, within: HOUR },
    { per: 'recipient', max: 5, within: HOUR },
    { per: 'recipient', max: 20, within: DAY },
  ],
};

/** Sent mails are kept this long, because they count for limits. */
export const LONGEST_LIMIT = DAY;

export interface MailOutbox {
  /** False for an address that cannot be mailed to, and above a limit. Limits are exact only under a lock. */
  mayMail(tx: Queryable, mail: Pick<NewMail, 'storeId' | 'to' | 'kind'>, now: number): Promise<boolean>;
  /** The mail as part of the change that it describes, to an address that may be mailed to. */
  mail<Kind extends MailKind>(mail: NewMail<Kind>, now: number): Write;
  /** Both, in the transaction of the change. Returns whether the mail was added. */
  add<Kind extends MailKind>(tx: Transaction, mail: NewMail<Kind>, now: number): Promise<boolean>;
}

/** Undefined if mail is off. */
export function mailOutbox({ SMTP_URL, SECRET_KEY }: Pick<Config, 'SMTP_URL' | 'SECRET_KEY'>): MailOutbox | undefined {
  if (!SMTP_URL) return undefined;
  const { seal } = sealer(SECRET_KEY);
  const rowOf = ({ storeId = NO_STORE, to, language, kind, params, link, expiresAt }: NewMail, now: number) => {
    const recipient = mailAddress(to) ?? '';
    return {
      store_id: storeId,
      id: uuid(now),
      kind,
      recipient,
      limit_key: limitKeyOf(recipient),
      language,
      params: JSON.stringify(params),
      secret: seal(link),
      state: 'waiting',
      next_attempt_at: now,
      created_at: now,
      expires_at: expiresAt ?? null,
    };
  };
  return {
    async mayMail(tx, { storeId = NO_STORE, to, kind }, now) {
      const recipient = mailAddress(to);
      if (!recipient) return false;
      for (const { per, max, within } of limits[kind] ?? []) {
        const since = now - within;
        const count =
          per === 'store'
            ? await queries.countOfStore(tx, storeId, kind, since)
            : await queries.countToRecipient(tx, limitKeyOf(recipient), kind, since);
        if (count >= max) return false;
      }
      return true;
    },
    mail: (mail, now) => insert(queries.mailRows, [rowOf(mail, now)]),
    async add(tx, mail, now) {
      if (!(await this.mayMail(tx, mail, now))) return false;
      await tx.run(queries.mailRows.insert(tx.dialect, [rowOf(mail, now)]));
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
