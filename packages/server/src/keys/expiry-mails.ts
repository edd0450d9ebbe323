import { configuredUrl } from '../config.ts';
import { mailOutbox } from '../mail/outbox.ts';
import { mailIntegrators } from '../mail/team.ts';
import type { Services } from '../services.ts';
import * as queries from './expiry-mails.queries.ts';

const BATCH_SIZE = 100;
/** Keys in one mail; the others are counted. */
const MAX_LISTED = 20;

/** Mails about keys that expire in 14 and in 3 days: one mail for all keys of a store. */
export async function mailAboutExpiry({ config, db, now }: Services) {
  const outbox = mailOutbox(config);
  if (!outbox) return;
  const at = now();
  for (;;) {
    const stores = await queries.storesWithExpiring(db, at, BATCH_SIZE);
    for (const { store_id: storeId } of stores)
      await db.transaction(
        async (tx) => {
          const due = await queries.expiring(tx, storeId, at);
          if (!due.length) return;
          for (const { id } of due) await queries.markMailed(tx, storeId, id, at);
          const keys = due.slice(0, MAX_LISTED).map(({ name, expires_at }) => ({ name, expiresAt: expires_at }));
          const params = { keys, more: due.length - keys.length };
          const link = `${configuredUrl(config)}/console/stores/${storeId}/settings/api-keys`;
          await mailIntegrators(tx, outbox, { storeId, kind: 'keys_expiring', params, link }, at);
        },
        { storeId },
      );
    if (stores.length < BATCH_SIZE) return;
  }
}
