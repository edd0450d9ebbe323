import { type Config, configuredUrl } from '../../config.ts';
import type { Transaction } from '../../db/database.ts';
import { mailOutbox } from '../../mail/outbox.ts';
import { mailIntegrators } from '../../mail/team.ts';
import type { Services } from '../../services.ts';
import { HOUR } from '../../time/duration.ts';
import * as queries from './endpoint-mails.queries.ts';

/** How long an endpoint fails before its store is told. */
const FAILING = 6 * HOUR;
const BATCH_SIZE = 100;

const linkTo = (config: Config, storeId: string, id: string) =>
  `${configuredUrl(config)}/console/stores/${storeId}/settings/webhooks/${id}`;

/** Without the query, which may contain a token. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Mails about endpoints that have failed for six hours, once for each series of failures. */
export async function mailAboutFailing({ config, db, now }: Services) {
  const outbox = mailOutbox(config);
  if (!outbox) return;
  const at = now();
  for (;;) {
    const failing = await queries.failingSince(db, at - FAILING, BATCH_SIZE);
    for (const endpoint of failing)
      await db.transaction(
        async (tx) => {
          if (!(await queries.markMailed(tx, endpoint))) return;
          const { store_id: storeId, id, url, failing_since_at: since } = endpoint;
          const params = { url: shown(url), since };
          const link = linkTo(config, storeId, id);
          await mailIntegrators(tx, outbox, { storeId, kind: 'endpoint_failing', params, link }, at);
        },
        { storeId: endpoint.store_id },
      );
    if (failing.length < BATCH_SIZE) return;
  }
}

export type MailDisabled = (tx: Transaction, storeId: string, id: string, now: number) => Promise<void>;

/** Mails about an endpoint in the transaction that switches it off; undefined if mail is off. */
export function disabledMails(config: Config): MailDisabled | undefined {
  const outbox = mailOutbox(config);
  if (!outbox) return undefined;
  return async (tx, storeId, id, now) => {
    const url = await queries.urlOf(tx, storeId, id);
    if (url === undefined) return;
    const params = { url: shown(url) };
    const link = linkTo(config, storeId, id);
    await mailIntegrators(tx, outbox, { storeId, kind: 'endpoint_disabled', params, link }, now);
  };
}
