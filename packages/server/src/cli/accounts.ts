import { rights as allRights, plans, retiredRights } from '@store-sales/contract';
import { createOwner, ownerByEmail, resetPassword } from '../accounts/owners.ts';
import { resetSecondFactor } from '../accounts/second-factor/factors.ts';
import { createStore, findStore, listStores, setActive, setPlan } from '../accounts/stores.ts';
import { type Config, configuredUrl } from '../config.ts';
import { createKey, listKeys, parseLife, revokeKey } from '../keys/keys.ts';
import { disableShop, enableShop, switchFeeds } from '../shop/shops.ts';
import { iso } from '../time/instant.ts';
import { known, print, UsageError } from './output.ts';
import { readStdin, withDatabase } from './session.ts';

type Json = { json?: boolean };

export const ownerCreate = (options: Json & { email: string; name: string; passwordStdin?: boolean }) =>
  withDatabase(async ({ db, now }) => {
    const password = await passwordOf(options);
    const owner = await createOwner(db, { email: options.email, name: options.name, password }, now);
    print({ id: owner.id, email: owner.email }, options.json);
  });

export const ownerPassword = (options: Json & { email: string; passwordStdin?: boolean }) =>
  withDatabase(async ({ db, now }) => {
    const owner = await resetPassword(db, options.email, await passwordOf(options), now);
    print({ id: owner.id, email: owner.email }, options.json);
  });

export const ownerResetSecondFactor = (options: Json & { email: string }) =>
  withDatabase(async ({ db, now }) => {
    const owner = await resetSecondFactor(db, options.email, now);
    print({ id: owner.id, email: owner.email }, options.json);
  });

const shopAddress = (config: Config, slug: string) => `${configuredUrl(config)}/shop/${slug}`;

export const shopEnable = (options: Json & { store: string; slug: string }) =>
  withDatabase(async ({ config, db, now }) => {
    const { id } = await findStore(db, options.store);
    const { storeId, slug } = await enableShop(db, id, options.slug, now);
    print({ storeId, slug, url: shopAddress(config, slug) }, options.json);
  });

export const shopDisable = (options: Json & { store: string }) =>
  withDatabase(async ({ config, db, now }) => {
    const { id } = await findStore(db, options.store);
    const { storeId, slug } = await disableShop(db, id, now);
    print({ storeId, slug, url: shopAddress(config, slug) }, options.json);
  });

export const shopFeeds = ({ on, off, ...options }: Json & { store: string; on?: boolean; off?: boolean }) =>
  withDatabase(async ({ config, db, now }) => {
    if (!on === !off) throw new UsageError('Pass either --on or --off.');
    const { id } = await findStore(db, options.store);
    const { storeId, slug, isOn } = await switchFeeds(db, id, on === true, now);
    const address = `${shopAddress(config, slug)}/feeds`;
    const feeds = isOn ? { yml: `${address}/yml.xml`, google: `${address}/google.xml` } : {};
    print({ storeId, slug, feeds: isOn, ...feeds }, options.json);
  });

async function passwordOf({ passwordStdin }: { passwordStdin?: boolean }) {
  if (!passwordStdin) throw new UsageError('Pass --password-stdin and the password on standard input.');
  return readStdin();
}

interface StoreOptions extends Json {
  owner: string;
  name: string;
  plan?: string;
  currency?: string;
  timezone?: string;
}

export const storeCreate = ({ owner, json, ...details }: StoreOptions) =>
  withDatabase(async ({ db, now }) => {
    if (details.plan !== undefined) known(details.plan, plans, 'plan');
    const { id: ownerId } = await ownerByEmail(db, owner);
    const store = await createStore(db, { ...details, ownerId }, now);
    print({ id: store.id, name: store.name, plan: store.plan }, json);
  });

export const storeList = ({ json }: Json) =>
  withDatabase(async ({ db }) => {
    const stores = await listStores(db);
    print(
      stores.map(({ id, name, plan, currency, timezone, is_active, email }) => {
        return { id, name, plan, currency, timezone, isActive: is_active, owner: email };
      }),
      json,
    );
  });

export const storePlan = (id: string, plan: string, { json }: Json) =>
  withDatabase(async ({ db, now }) => {
    const store = await setPlan(db, id, known(plan, plans, 'plan'), now);
    print({ id: store.id, name: store.name, plan: store.plan }, json);
  });

export const storeActive =
  (isActive: boolean) =>
  (id: string, { json }: Json) =>
    withDatabase(async ({ db, now }) => {
      const store = await setActive(db, id, isActive, now);
      print({ id: store.id, name: store.name, isActive: store.is_active }, json);
    });

interface KeyOptions extends Json {
  store: string;
  name: string;
  rights: string;
  expires?: string;
}

/** Refused with a reason of its own. */
const isRetired = (right: string) => (retiredRights as readonly string[]).includes(right);

export const keyCreate = (options: KeyOptions) =>
  withDatabase(async ({ db, now }) => {
    const rights = options.rights.split(',').map((right) => right.trim());
    for (const right of rights) if (!isRetired(right)) known(right, Object.keys(allRights), 'right');
    const { id: storeId } = await findStore(db, options.store);
    const life = options.expires === undefined ? undefined : parseLife(options.expires);
    const { secret, key } = await createKey(db, { storeId, name: options.name, rights, life }, now);
    print({ id: key.id, key: secret, rights: key.rights, expiresAt: iso(key.expiresAt) }, options.json);
  });

export const keyList = ({ store, json }: Json & { store: string }) =>
  withDatabase(async ({ db }) => {
    const { id } = await findStore(db, store);
    const keys = await listKeys(db, id);
    const time = (instant: number | null) => (instant === null ? null : iso(instant));
    print(
      keys.map(({ createdBy, createdAt, expiresAt, lastUsedAt, revokedAt, ...key }) => ({
        ...key,
        createdBy: createdBy?.name ?? null,
        createdAt: iso(createdAt),
        expiresAt: iso(expiresAt),
        lastUsedAt: time(lastUsedAt),
        revokedAt: time(revokedAt),
      })),
      json,
    );
  });

export const keyRevoke = (id: string, { json }: Json) =>
  withDatabase(async ({ db, now }) => {
    const key = await revokeKey(db, id, now);
    print({ id: key.id, name: key.name, revokedAt: iso(key.revokedAt ?? now) }, json);
  });
