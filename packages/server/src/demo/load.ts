import { randomBytes } from 'node:crypto';
import { rights } from '@store-sales/contract';
import { addOwner, prepareOwner } from '../accounts/owners.ts';
import { addStore } from '../accounts/stores.ts';
import { system } from '../actor.ts';
import { termChange } from '../catalog/search-terms.ts';
import { tick } from '../db/clock/store-clock.ts';
import { type Database, type Transaction, within } from '../db/database.ts';
import { writeTerms } from '../db/search/record-terms.ts';
import { uuid } from '../db/uuid.ts';
import { runPlan } from '../db/write/run-plans.ts';
import { createKey } from '../keys/keys.ts';
import { createOrderStatus } from '../orders/statuses/order-statuses.ts';
import { createPaymentStatus } from '../orders/statuses/payment-statuses.ts';
import { changeOrder } from '../orders/write/change-order.ts';
import { createOrder } from '../orders/write/create-order.ts';
import { createPromoCode } from '../promo/promo-codes.ts';
import { listDeliveryTypes } from '../references/delivery-types.ts';
import { listPaymentTypes } from '../references/payment-types.ts';
import type { StoreScope } from '../references/shared-types.ts';
import { createWarehouse } from '../references/warehouses.ts';
import type { SecretKeys } from '../secrets.ts';
import { enableShop } from '../shop/shops.ts';
import { DAY } from '../time/duration.ts';
import { iso } from '../time/instant.ts';
import { catalog, categoryTree, pictureOf } from './data.ts';
import * as queries from './demo.queries.ts';
import { DEMO_PROMO_CODE, type OrderTypes, ownPayment, ownStatuses, planOrders } from './orders.ts';
import { seededRandom } from './random.ts';
import { addWebhookLog } from './webhooks.ts';

const SEED = 20_260_927;
/** The address of the demo's order page. */
export const DEMO_SHOP = 'tea-house';

export interface DemoAccess {
  email: string;
  password: string;
  storeId: string;
  apiKey: string;
}

/**
 * Fills an empty database with a realistic store, in one transaction: an interrupted demo leaves nothing behind. The
 * data is the same each time; only ids, the password and the key are random.
 */
export async function loadDemo(db: Database, secretKeys: SecretKeys, now: number): Promise<DemoAccess> {
  const start = now - 91 * DAY;
  const email = 'demo@store-sales.example';
  const password = randomBytes(9).toString('base64url');
  const owner = await prepareOwner({ email, name: 'Demo Owner', password }, start);
  return db.transaction(async (tx) => {
    await addOwner(tx, owner);
    const shop = { ownerId: owner.id, name: 'Чайный дом · Tea House', plan: 'optimal' };
    const { id: storeId, currency } = await addStore(tx, shop, start);
    await addStore(tx, { ownerId: owner.id, name: 'Tea House Wholesale', plan: 'basic' }, start + 30 * DAY);
    await addCatalog(tx, storeId, start);
    const own = await addReferences(tx, storeId, start);
    await createPromoCode(within(tx), storeId, { code: DEMO_PROMO_CODE, percent: 10 }, start);
    const autumn = { code: 'ОСЕНЬ-500', amount: 50_000, minTotal: 300_000, maxUses: 200, to: iso(start + 60 * DAY) };
    await createPromoCode(within(tx), storeId, autumn, start);
    const types = await typesOf(tx, { ownerId: owner.id, storeId });
    const ids = new Map<number, string>();
    for (const { at, index, action } of planOrders(seededRandom(SEED), types, start + DAY, now)) {
      if (action.kind === 'create') {
        const { order, source } = action;
        const created = createOrder({ storeId, currency, source, actor: system, order, now: at });
        ids.set(index, (await runPlan(tx, created)).id);
      } else {
        const { own: name, ...rest } = action.change;
        const change = name ? own[name] : rest;
        const id = ids.get(index) as string;
        await runPlan(tx, changeOrder({ storeId, id, change, appliesPromo: false, actor: system, now: at }));
      }
    }
    const log = { random: seededRandom(SEED), secretKeys, actor: { kind: 'owner', id: owner.id } } as const;
    await addWebhookLog(tx, storeId, log);
    await enableShop(within(tx), storeId, DEMO_SHOP, now);
    const key = { storeId, name: 'Demo key', rights: Object.keys(rights) };
    const { secret } = await createKey(within(tx), key, now);
    return { email, password, storeId, apiKey: secret };
  });
}

/** Ids of the delivery types by kind and of the payment types by code. */
async function typesOf(tx: Transaction, scope: StoreScope): Promise<OrderTypes> {
  const delivery = (await listDeliveryTypes(tx, scope)).map(({ kind, id }) => [kind, id]);
  const payment = (await listPaymentTypes(tx, scope)).map(({ code, id }) => [code, id]);
  return { delivery: Object.fromEntries(delivery), payment: Object.fromEntries(payment) };
}

/** Creates the demo's custom statuses and warehouses; returns the order change that leads to each status. */
async function addReferences(tx: Transaction, storeId: string, now: number) {
  const db = within(tx);
  const status = (group: 'packing' | 'delivering', name: string) =>
    createOrderStatus(db, storeId, { group, name }, system, now);
  const wrapping = await status('packing', ownStatuses.wrapping);
  const waiting = await status('delivering', ownStatuses.waiting);
  const deposit = await createPaymentStatus(db, storeId, { name: ownPayment.deposit, color: '#0EA5E9' }, system, now);
  await createWarehouse(
    db,
    storeId,
    { name: 'Склад Москва', city: 'Москва', address: 'ул. Складочная, 1' },
    system,
    now,
  );
  await createWarehouse(db, storeId, { name: 'Saint Petersburg', city: 'Санкт-Петербург' }, system, now);
  return {
    wrapping: { statusId: wrapping.id },
    waiting: { statusId: waiting.id },
    deposit: { paymentStatusId: deposit.id },
  };
}

async function addCatalog(tx: Transaction, storeId: string, now: number) {
  const parents = Object.keys(categoryTree).map((name, index) => {
    return { id: uuid(now), externalId: `cat-${index + 1}`, name, parentId: null };
  });
  const parentOf = (name: string) => {
    const above = Object.entries(categoryTree).find(([, children]) => (children as readonly string[]).includes(name));
    return parents.find((parent) => parent.name === above?.[0])?.id ?? null;
  };
  const children = Object.keys(catalog).map((name, index) => {
    return { id: uuid(now), externalId: `cat-${parents.length + index + 1}`, name, parentId: parentOf(name) };
  });
  await queries.insertCategories(tx, storeId, [...parents, ...children], now);
  const products = children.flatMap(({ id: categoryId, name: category }) =>
    (catalog[category] ?? []).map(([name, sku, rubles]) => {
      const externalId = `1c-${sku.toLowerCase()}`;
      return { id: uuid(now), externalId, sku, name, price: rubles * 100, categoryId, imageUrl: pictureOf(sku) };
    }),
  );
  const { at, seq } = await tick(tx, storeId, now, { count: products.length });
  await queries.insertProducts(tx, storeId, products, at, seq);
  const terms = products.map((product) =>
    termChange(product.id, undefined, { ...product, external_id: product.externalId }),
  );
  await writeTerms(tx, 'products', storeId, terms);
}
