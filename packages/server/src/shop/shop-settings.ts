import type { SaveShop, ShopSettings } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { type Database, isTaken, type Queryable } from '../db/database.ts';
import { FieldErrors } from '../domain-error.ts';
import { contentEtag, requireSameContent } from '../http/if-match.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import type { StoreScope } from '../references/shared-types.ts';
import * as queries from './shops.queries.ts';
import { recordSettings, slugTaken } from './shops.ts';

const blank: queries.SavedShop = {
  slug: '',
  is_enabled: false,
  is_in_feeds: false,
  title: '',
  about: '',
  contacts: '',
  language: 'en',
  accent: '#1864ab',
  smallest_order: 0,
  delivery: null,
  payments: null,
};

/** What the form edits, without the columns that only the database needs. */
const contentOf = (row: queries.SavedShop) =>
  Object.fromEntries(Object.keys(blank).map((column) => [column, row[column as keyof typeof blank]]));

/** WCAG AA for the white text of buttons. */
const MIN_CONTRAST = 4.5;

/** The settings of the store's order page, with the types it could offer. */
export async function readSettings(db: Queryable, scope: StoreScope): Promise<Omit<ShopSettings, 'url'>> {
  const row = (await queries.findByStore(db, scope.storeId)) ?? blank;
  const costs = row.delivery === null ? undefined : (JSON.parse(row.delivery) as SaveShop['delivery']);
  const chosen = row.payments === null ? undefined : (JSON.parse(row.payments) as string[]);
  return {
    slug: row.slug,
    isEnabled: row.is_enabled,
    isInFeeds: row.is_in_feeds,
    title: row.title,
    about: row.about,
    contacts: row.contacts,
    language: row.language,
    accent: row.accent,
    smallestOrder: row.smallest_order,
    delivery: (await listDeliveryTypes(db, scope))
      .filter(({ isActive }) => isActive)
      .map(({ id, name }) => {
        const offer = costs?.find(({ typeId }) => typeId === id);
        return { typeId: id, name, isOffered: !costs || !!offer, cost: offer?.cost ?? 0 };
      }),
    payments: (await listPaymentTypes(db, scope))
      .filter(({ isActive }) => isActive)
      .map(({ id, code, name }) => ({ typeId: id, code, name, isOffered: !chosen || chosen.includes(id) })),
    etag: contentEtag(contentOf(row)),
  };
}

export async function saveSettings(
  db: Database,
  scope: StoreScope & { name: string },
  sent: SaveShop,
  actor: Actor,
  now: number,
  ifMatch?: string,
) {
  const { storeId } = scope;
  const row: queries.SavedShop = {
    slug: sent.slug,
    is_enabled: sent.isEnabled,
    is_in_feeds: sent.isInFeeds,
    title: sent.title.trim(),
    about: sent.about.trim(),
    contacts: sent.contacts.trim(),
    language: sent.language,
    accent: sent.accent,
    smallest_order: sent.smallestOrder,
    delivery: JSON.stringify(sent.delivery),
    payments: JSON.stringify(sent.payments),
  };
  const work = db.transaction(
    async (tx) => {
      // There may be no row to lock yet.
      await tx.lock(storeId, ['shop']);
      const before = (await queries.findByStore(tx, storeId)) ?? blank;
      requireSameContent('order page', ifMatch, contentOf(before));
      await checkSettings(tx, scope, sent);
      await queries.saveSettings(tx, storeId, row, now);
      await recordSettings(tx, { id: storeId, name: scope.name }, before, row, actor, now);
    },
    { storeId },
  );
  await work.catch((error: unknown) => {
    throw isTaken(error, 'shops.slug') ? slugTaken(sent.slug) : error;
  });
  return readSettings(db, scope);
}

async function checkSettings(db: Queryable, scope: StoreScope, { delivery, payments, accent }: SaveShop) {
  const errors = new FieldErrors();
  const known = (types: readonly { id: string; isActive: boolean }[]) =>
    new Set(types.filter(({ isActive }) => isActive).map(({ id }) => id));
  const deliveryIds = known(await listDeliveryTypes(db, scope));
  const paymentIds = known(await listPaymentTypes(db, scope));
  for (const [index, { typeId }] of delivery.entries())
    if (!deliveryIds.has(typeId))
      errors.add(`/delivery/${index}/typeId`, 'not_found', 'does not match any enabled delivery type of this store');
  for (const [index, id] of payments.entries())
    if (!paymentIds.has(id))
      errors.add(`/payments/${index}`, 'not_found', 'does not match any enabled payment type of this store');
  if (1.05 / (luminance(accent) + 0.05) < MIN_CONTRAST)
    errors.add('/accent', 'invalid_format', 'is too light: white text on it would be hard to read');
  errors.throwIfAny();
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
