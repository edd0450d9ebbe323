import type { Transaction } from '../db/database.ts';
import { asLanguage, type MailKind, type MailParams } from './kinds.ts';
import type { MailOutbox } from './outbox.ts';
import { findStore, listMembers } from './team.queries.ts';

export { findStore as storeForMail } from './team.queries.ts';

/** Those who can do something about keys and webhooks. */
const INTEGRATORS = ['owner', 'integrator'] as const;

/** Adds a mail to each owner and integrator of the store, in their languages. */
export async function mailIntegrators<Kind extends MailKind>(
  tx: Transaction,
  outbox: MailOutbox,
  mail: { storeId: string; kind: Kind; link: string; params: Omit<MailParams[Kind], 'store' | 'timezone'> },
  now: number,
) {
  const store = await findStore(tx, mail.storeId);
  if (!store) return;
  // Kinds without a time ignore the time zone.
  const params = { ...mail.params, store: store.name, timezone: store.timezone } as unknown as MailParams[Kind];
  for (const { email, language } of await listMembers(tx, mail.storeId, INTEGRATORS))
    await outbox.add(tx, { ...mail, params, to: email, language: asLanguage(language) }, now);
}
