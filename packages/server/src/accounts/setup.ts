import { Refusal } from '../refusal.ts';
import { isSame, keyFor } from '../secrets.ts';
import type { Services } from '../services.ts';
import { addOwner, hasOwners, type NewOwner, prepareOwner } from './owners.ts';
import { openSession } from './sessions.ts';

/** Locks are named within a store; the first owner comes before any store. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

/**
 * What opens the set-up page while there is no owner. Derived from the secret of the installation: the same
 * on every node and after a restart, and worth nothing as soon as the first owner exists.
 */
export const setupToken = ({ config }: Pick<Services, 'config'>) => tokenOf(config.SECRET_KEY[0]);

const tokenOf = (secretKey: string) => keyFor(secretKey, 'setup').toString('base64url');

/** Behind `#`, the token stays in the browser: no proxy and no log on the way sees it. */
export const setupPath = (services: Pick<Services, 'config'>) => `/console/setup#${setupToken(services)}`;

/** Creates the first owner, once, and signs the browser in: a session's token. */
export async function setUp(services: Services, token: string, details: NewOwner, userAgent: string): Promise<string> {
  if (!services.config.SECRET_KEY.some((secretKey) => isSame(token, tokenOf(secretKey))))
    throw new Refusal('wrong_setup_token', 'This is not the set-up link that the server printed when it started.');
  const owner = await prepareOwner(details, services.now());
  return services.db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['first owner']);
    if (await hasOwners(tx))
      throw new Refusal('wrong_setup_token', 'The set-up is done already; sign in, or ask the owner.');
    await addOwner(tx, owner);
    return openSession(tx, owner, userAgent, services.now());
  });
}
