import { browser } from './browser.ts';
import type { Service } from './service.ts';

/** An owner who is signed in to the console, with a store. */
export async function signedInOwner(service: Service, plan = 'optimal') {
  const owner = await service.owner();
  const store = await service.store({ ownerId: owner.id, plan });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  return { owner, store, storeId: store.id, visitor, path: `/stores/${store.id}` };
}
