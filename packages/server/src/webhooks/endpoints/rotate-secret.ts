import { randomBytes } from 'node:crypto';
import { type Actor, system } from '../../actor.ts';
import { LimitReached } from '../../limits.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { iso } from '../../time/instant.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import * as queries from './endpoints.queries.ts';
import { existingEndpoint } from './find-endpoints.ts';
import { type ReplacedSecret, replacedSecrets } from './replaced-secrets.ts';

/** How long a replaced secret is used for signing in addition to the new one. */
const ROTATION_MS = 24 * 3_600_000;
/** Each replaced secret adds a signature to every request. */
const MAX_REPLACED_SECRETS = 4;

/** 256 random bits, written as the libraries of Standard Webhooks expect them. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Creates a new secret; a replaced one is used for signing for another 24 hours, so that receivers can be updated. With
 * MAX_REPLACED_SECRETS in use a rotation is rejected: dropping one early would break a receiver that still uses it.
 */
export async function rotateSecret(
  services: Services,
  id: string,
  actor: Actor = system,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret();
  const { seal, open } = sealer(services.config.SECRET_KEY);
  const found = await existingEndpoint(services.db, id);
  await services.db.transaction(async (tx) => {
    const now = services.now();
    const secrets = await queries.lockSecrets(tx, found.store_id, found.id);
    const older = secrets ? readableSecrets(() => replacedSecrets(secrets, now, open)) : [];
    const oldest = older[MAX_REPLACED_SECRETS - 1];
    if (oldest) {
      const params = { limit: 'replaced_secrets', max: MAX_REPLACED_SECRETS, until: iso(oldest.until) } as const;
      throw new LimitReached(
        params,
        `This endpoint still signs with ${params.max} replaced secrets. The secret can be rotated again at ${params.until}.`,
      );
    }
    await queries.setSecret(tx, found.store_id, found.id, {
      secret: seal(secret),
      previousUntil: now + ROTATION_MS,
      older: older.length ? seal(JSON.stringify(older)) : null,
    });
    await recordEndpointHistory(tx, found, 'rotated', actor, now);
  });
  return { id: found.id, secret };
}

/** Returns none if they were encrypted with another SECRET_KEY: a rotation must work even then. */
function readableSecrets(read: () => ReplacedSecret[]): ReplacedSecret[] {
  try {
    return read();
  } catch {
    return [];
  }
}
