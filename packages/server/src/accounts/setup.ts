import type { Queryable } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { isSame, keyFor } from '../secrets.ts';
import type { Services } from '../services.ts';
import type { HashingQueue } from './hashing-queue.ts';
import { addOwner, hasOwners, type NewOwner, prepareOwner } from './owners.ts';
import { openSession, type SignedIn } from './sessions.ts';
import type { Visitor } from './visitor.ts';

/** Locks are scoped to a store, but the first owner is created before any store exists. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

/**
 * The token that opens the set-up page while there is no owner. Derived from the installation's secret: the same on
 * every node and after a restart, and useless once the first owner exists.
 */
export const setupToken = ({ config }: Pick<Services, 'config'>) => tokenOf(config.SECRET_KEY[0]);

const tokenOf = (secretKey: string) => keyFor(secretKey, 'setup').toString('base64url');

/** In the URL fragment, so that the token never appears in proxy or server logs. */
export const setupPath = (services: Pick<Services, 'config'>) => `/console/setup#${setupToken(services)}`;

/** Creates the first owner, once, and opens a session. */
export async function setUp(
  services: Services,
  hashing: HashingQueue,
  token: string,
  details: NewOwner,
  visitor: Visitor,
): Promise<SignedIn> {
  const { config, db, now } = services;
  if (!config.SECRET_KEY.some((secretKey) => isSame(token, tokenOf(secretKey))))
    throw new DomainError('wrong_setup_token', 'This is not the setup link that the server printed at its start.');
  // Checked before hashing: anyone who still has the link could otherwise make the server hash passwords.
  await refuseDone(db);
  const owner = await hashing.run({ key: 'set-up', isPreferred: false }, () => prepareOwner(details, now()));
  const session = await db.transaction(async (tx) => {
    await tx.lock(NO_STORE, ['first owner']);
    await refuseDone(tx);
    await addOwner(tx, owner);
    return openSession(tx, owner, visitor, now());
  });
  return { token: session, ownerId: owner.id };
}

async function refuseDone(db: Queryable) {
  if (await hasOwners(db))
    throw new DomainError('wrong_setup_token', 'The setup is already complete; sign in, or ask the owner.');
}
