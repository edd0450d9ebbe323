import type { Queryable } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { isSame, keyFor } from '../secrets.ts';
import type { Services } from '../services.ts';
import type { HashingQueue } from './hashing-queue.ts';
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

/** Creates the first owner, once, and signs the browser in. */
export async function setUp(
  services: Services,
  hashing: HashingQueue,
  token: string,
  details: NewOwner,
  userAgent: string,
): Promise<{ token: string; ownerId: string }> {
  const { config, db, now } = services;
  if (!config.SECRET_KEY.some((secretKey) => isSame(token, tokenOf(secretKey))))
    throw new Refusal('wrong_setup_token', 'This is not the set-up link that the server printed when it started.');
  // Before the password is hashed: the link stays known after it has lost its use.
  await refuseDone(db);
  const owner = await hashing.run({ key: 'set-up', isPreferred: false }, () => prepareOwner(details, now()));
  const session = await db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['first owner']);
    await refuseDone(tx);
    await addOwner(tx, owner);
    return openSession(tx, owner, userAgent, now());
  });
  return { token: session, ownerId: owner.id };
}

async function refuseDone(db: Queryable) {
  if (await hasOwners(db))
    throw new Refusal('wrong_setup_token', 'The set-up is done already; sign in, or ask the owner.');
}
