import type { ShopPictures } from '@store-sales/contract/console';
import { findStore } from '../accounts/stores.ts';
import { type Actor, system } from '../actor.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import { DomainError, invalidField, notFound } from '../domain-error.ts';
import { picturesOfShop } from '../files/pictures.ts';
import { differences, recordHistory } from '../history/history.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import * as queries from './shops.queries.ts';

const SLUG = /^[a-z0-9-]{3,40}$/;

export type Language = 'en' | 'ru';

export interface DeliveryOffer {
  id: string;
  name: string;
  needsAddress: boolean;
  cost: number;
}

/** A shop that is open, with what it offers. */
export interface Shop extends ShopPictures {
  storeId: string;
  ownerId: string;
  slug: string;
  title: string;
  about: string;
  contacts: string;
  language: Language;
  accent: string;
  currency: string;
  timezone: string;
  smallestOrder: number;
  delivery: DeliveryOffer[];
  payments: { id: string; code: string; name: string }[];
}

/** Opens the store's order page at this address, or moves it there. */
export async function enableShop(db: Database, storeId: string, slug: string, now: number) {
  if (!SLUG.test(slug)) throw invalidField('/slug', 'invalid_format', 'The address must be 3 to 40 of a-z, 0-9 and -');
  await db
    .transaction((tx) => setAddress(tx, storeId, slug, true, now), { storeId })
    .catch((error: unknown) => {
      throw isTaken(error, 'shops.slug') ? slugTaken(slug) : error;
    });
  return { storeId, slug };
}

async function setAddress(tx: Transaction, storeId: string, slug: string, isEnabled: boolean, now: number) {
  await tx.lock(storeId, ['shop']);
  const before = (await queries.findByStore(tx, storeId)) ?? { slug: '', is_enabled: false };
  await queries.save(tx, storeId, slug, isEnabled, now);
  await recordSettings(tx, await findStore(tx, storeId), before, { slug, is_enabled: isEnabled }, system, now);
}

/** Switches the feeds of the store's order page on or off. */
export const switchFeeds = (db: Database, storeId: string, isOn: boolean, now: number) =>
  db.transaction(
    async (tx) => {
      await tx.lock(storeId, ['shop']);
      const before = await existingShop(tx, storeId);
      await queries.saveFeeds(tx, storeId, isOn, now);
      await recordSettings(tx, await findStore(tx, storeId), before, { is_in_feeds: isOn }, system, now);
      return { storeId, slug: before.slug, isOn };
    },
    { storeId },
  );

async function existingShop(tx: Transaction, storeId: string) {
  const found = await queries.findByStore(tx, storeId);
  if (!found) throw new DomainError('not_found', 'The store has no order page.');
  return found;
}

type Recorded = Partial<Pick<queries.ShopRow, 'slug' | 'is_enabled' | 'is_in_feeds' | 'title'>>;

/** Adds what changed to the history. */
export async function recordSettings(
  tx: Transaction,
  store: { id: string; name: string },
  before: Recorded,
  after: Recorded,
  actor: Actor,
  at: number,
) {
  const fields = {
    slug: 'orderPage',
    is_enabled: 'orderPageEnabled',
    is_in_feeds: 'orderPageFeeds',
    title: 'orderPageTitle',
  };
  const details = differences<Recorded>(before, { ...before, ...after }, fields);
  const subject = { kind: 'store', id: store.id, name: store.name } as const;
  if (details) await recordHistory(tx, { scopeId: store.id, actor, action: 'changed', subject, details, at });
}

export const slugTaken = (slug: string) =>
  new DomainError('name_taken', `The address ${slug} belongs to another order page.`);

export async function disableShop(db: Database, storeId: string, now: number) {
  return db.transaction(
    async (tx) => {
      const { slug } = await existingShop(tx, storeId);
      await setAddress(tx, storeId, slug, false, now);
      return { storeId, slug };
    },
    { storeId },
  );
}

export const hasOpenShop = async (db: Queryable, storeId: string) =>
  (await queries.findByStore(db, storeId))?.is_enabled ?? false;

/** The open shop at this address. An unknown address, a closed page and an inactive store give the same result. */
export async function findOpenShop(db: Queryable, slug: string): Promise<queries.OpenShopRow> {
  const row = SLUG.test(slug) ? await queries.findOpen(db, slug) : undefined;
  if (!row) throw notFound('order page');
  return row;
}

/** Adds what the shop offers. */
export async function shopOf(db: Queryable, row: queries.OpenShopRow): Promise<Shop> {
  const scope = { ownerId: row.owner_id, storeId: row.store_id };
  const costs = row.delivery === null ? undefined : (JSON.parse(row.delivery) as { typeId: string; cost: number }[]);
  const payments = row.payments === null ? undefined : (JSON.parse(row.payments) as string[]);
  const delivery = (await listDeliveryTypes(db, scope)).flatMap(({ id, name, kind, isActive }) => {
    const offer = costs ? costs.find(({ typeId }) => typeId === id) : { cost: 0 };
    return isActive && offer ? [{ id, name, needsAddress: kind !== 'pickup', cost: offer.cost }] : [];
  });
  return {
    ...scope,
    ...(await picturesOfShop(db, row.store_id)),
    slug: row.slug,
    title: row.title || row.store_name,
    about: row.about,
    contacts: row.contacts,
    language: row.language,
    accent: row.accent,
    currency: row.currency,
    timezone: row.timezone,
    smallestOrder: row.smallest_order,
    delivery,
    payments: (await listPaymentTypes(db, scope))
      .filter(({ id, isActive }) => isActive && (!payments || payments.includes(id)))
      .map(({ id, code, name }) => ({ id, code, name })),
  };
}
