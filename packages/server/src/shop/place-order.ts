import { createHash } from 'node:crypto';
import type { Order, Product } from '@store-sales/contract';
import { system } from '../actor.ts';
import { productsById } from '../catalog/products.ts';
import { type Database, isTaken, type Queryable, type Transaction } from '../db/database.ts';
import type { MailOutbox } from '../mail/outbox.ts';
import { addOrder } from '../orders/create-order.ts';
import { readOrder } from '../orders/read-order.ts';
import type { CartLine } from './cart.ts';
import * as queries from './shops.queries.ts';
import type { Shop } from './shops.ts';

/** What the customer filled in. */
export interface Checkout {
  name: string;
  phone: string;
  email: string;
  deliveryId: string;
  address: string;
  paymentId: string;
  promoCode: string;
  notes: string;
}

/** A line of the cart that is not as the customer saw it; without a product it can no longer be ordered. */
export interface CartChange {
  line: CartLine;
  product: Product | undefined;
}

export type Placed = { orderId: string } | { changes: CartChange[] };

/** The mail with the secret address of the order. */
export interface OrderMail {
  outbox: MailOutbox;
  link: string;
}

/** The others are counted. */
const MAX_MAILED_LINES = 50;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/** The cart with its products, and what changed since the customer put them in. */
export async function currentCart(db: Queryable, shop: Shop, cart: readonly CartLine[]) {
  const products = await productsById(
    db,
    shop,
    cart.map(({ productId }) => productId),
  );
  const changes: CartChange[] = [];
  const lines = cart.flatMap((line) => {
    const found = products.get(line.productId);
    const product = found?.isActive ? found : undefined;
    if (product?.price !== line.price) changes.push({ line, product });
    return product ? [{ ...line, price: product.price, product }] : [];
  });
  return { lines, changes, total: lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0) };
}

/**
 * Creates the order of a checkout form, once: `secret` identifies the form. Prices are those of the catalog; if they are
 * no longer those that the customer saw, nothing is ordered.
 */
export async function placeOrder(
  db: Database,
  shop: Shop,
  { cart, checkout, secret }: { cart: readonly CartLine[]; checkout: Checkout; secret: string },
  now: number,
  mail?: OrderMail,
): Promise<Placed> {
  const hash = hashOf(secret);
  const delivery = shop.delivery.find(({ id }) => id === checkout.deliveryId);
  const work = db.transaction<Placed>(
    async (tx) => {
      const earlier = await queries.findOrder(tx, shop.storeId, hash);
      if (earlier) return { orderId: earlier.order_id };
      const { lines, changes } = await currentCart(tx, shop, cart);
      if (changes.length) return { changes };
      const order = {
        items: lines.map(({ productId, quantity, price }) => ({ productId, quantity, unitPrice: price })),
        customer: { name: checkout.name, phone: checkout.phone, email: checkout.email },
        ...(delivery && {
          delivery: {
            typeId: delivery.id,
            cost: delivery.cost,
            ...(delivery.needsAddress && { address: checkout.address }),
          },
        }),
        ...(checkout.paymentId && { paymentTypeId: checkout.paymentId }),
        ...(checkout.promoCode && { promoCode: checkout.promoCode }),
        ...(checkout.notes && { notes: checkout.notes }),
      };
      const { storeId, currency } = shop;
      const orderId = await addOrder(tx, { storeId, currency, source: 'site', actor: system, order }, now);
      await queries.insertOrder(tx, storeId, hash, orderId, now);
      if (mail && checkout.email) await mailOrder(tx, shop, orderId, checkout.email, mail, now);
      return { orderId };
    },
    { storeId: shop.storeId },
  );
  return work.catch(async (error: unknown) => {
    // Of concurrent requests of one form, one inserts its secret; the others roll back.
    const winner = isTaken(db, error) ? await queries.findOrder(db, shop.storeId, hash) : undefined;
    if (winner) return { orderId: winner.order_id };
    throw error;
  });
}

/**
 * Mails the customer what they ordered. Nothing that they typed is in the mail, so that nobody can send texts of their
 * own to the address of someone else.
 */
async function mailOrder(tx: Transaction, shop: Shop, orderId: string, to: string, mail: OrderMail, now: number) {
  const { number, currency, totalAmount, items = [] } = await orderWithId(tx, shop.storeId, orderId);
  const lines = items
    .slice(0, MAX_MAILED_LINES)
    .map(({ name, quantity, lineTotal }) => ({ name, quantity, total: lineTotal }));
  const params = { shop: shop.title, number, currency, lines, more: items.length - lines.length, total: totalAmount };
  const { storeId, language } = shop;
  await mail.outbox.add(tx, { storeId, to, language, kind: 'shop_order', params, link: mail.link }, now);
}

/** The order at a secret address. */
export async function orderAt(db: Queryable, storeId: string, secret: string): Promise<Order | undefined> {
  const found = await queries.findOrder(db, storeId, hashOf(secret));
  return found && orderWithId(db, storeId, found.order_id);
}

async function orderWithId(db: Queryable, storeId: string, id: string): Promise<Order> {
  const { body } = await readOrder(db, storeId, id);
  return (JSON.parse(body.toString()) as { data: Order }).data;
}
