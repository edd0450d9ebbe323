import type { Order, OrderCreate, Product } from '@store-sales/contract';
import { balanceOf } from '@store-sales/contract/totals';
import { system } from '../actor.ts';
import { productsById } from '../catalog/products.ts';
import { orderAddress } from '../customer-mail/notices.ts';
import type { Queryable } from '../db/database.ts';
import { type Change, writePlan } from '../db/write/plan.ts';
import type { MailOutbox, NewMail } from '../mail/outbox.ts';
import { readOrder } from '../orders/read/read-order.ts';
import { listOrderStatuses } from '../orders/statuses/order-statuses.ts';
import { createOrder, orderKeys } from '../orders/write/create-order.ts';
import { applyPromo } from '../promo/apply-promo.ts';
import { hashOf } from '../secrets.ts';
import { StockLedger } from '../stock/ledger.ts';
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
  /** How many are left, if fewer than the customer wants. */
  left?: number;
}

/** `hasChanged`: what the customer saw is not what they would order. */
export type Placed = { orderId: string } | { hasChanged: true };

/** What the customer orders, as they saw it. */
export interface Placing {
  cart: readonly CartLine[];
  checkout: Checkout;
  /** What the promo code takes off. */
  promoDiscount: number;
  /** Identifies the form. */
  secret: string;
}

/** The mail with the secret address of the order. */
export interface OrderMail {
  outbox: MailOutbox;
  link: string;
}

/** The others are counted. */
const MAX_MAILED_LINES = 50;

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
    if (!product) return [];
    const left = Math.max(product.stock ?? line.quantity, 0);
    if (left < line.quantity) changes.push({ line, product, left });
    const quantity = Math.min(line.quantity, left);
    return quantity ? [{ ...line, quantity, price: product.price, product }] : [];
  });
  return { lines, changes, total: lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0) };
}

/** The cart as the lines that a promo code is computed from. */
export const pricedLines = (cart: readonly CartLine[]) =>
  cart.map(({ quantity, price }) => ({ quantity, unitPrice: price, discount: 0 }));

/**
 * Creates the order of a checkout form, once. Prices are those of the catalog; if they are no longer those that the
 * customer saw, the promo code takes off something else, or there is not enough left, nothing is ordered.
 */
export function placeOrder(
  shop: Shop,
  { cart, checkout, promoDiscount, secret }: Placing,
  now: number,
  mail?: OrderMail,
) {
  const { storeId, currency } = shop;
  const hash = hashOf(secret);
  const sent = orderOf(shop, cart, checkout);
  const order = createOrder({ storeId, currency, source: 'site', actor: system, order: sent, now });
  const recipient = mail && { storeId, to: checkout.email, kind: 'shop_order' as const };
  return writePlan({
    ...order,
    keys: [`form ${hash}`, ...orderKeys(sent)],
    async read(tx: Queryable) {
      const [earlier, { changes }, facts, isMailed] = await Promise.all([
        queries.findOrder(tx, storeId, hash),
        currentCart(tx, shop, cart),
        order.read(tx),
        recipient && mail.outbox.mayMail(tx, recipient, now),
      ]);
      return { earlier, changes, facts, isMailed };
    },
    apply({ earlier, changes, facts, isMailed }, clock): Change<Placed> {
      if (earlier) return { writes: [], result: { orderId: earlier.order_id } };
      // Orders that share the transaction have taken from what was read.
      const ledger = new StockLedger(facts.stock, clock);
      const isShort = cart.some(
        ({ productId, quantity }) => ledger.isTracked(productId) && ledger.total(productId) < quantity,
      );
      const promo =
        checkout.promoCode && applyPromo(facts.promo, { lines: pricedLines(cart), discount: 0, now }, clock);
      const isSamePromo = !promo || ('discount' in promo && promo.discount === promoDiscount);
      if (changes.length || isShort || !isSamePromo) return { writes: [], result: { hasChanged: true } };
      const { writes, result } = order.apply(facts, clock);
      const mails =
        isMailed && recipient ? [mail.outbox.mail(orderMail(shop, result.body, checkout.email, mail), now)] : [];
      return {
        writes: [...writes, orderAddress(storeId, hash, result.id, now), ...mails],
        result: { orderId: result.id },
      };
    },
  });
}

/** The cart as an order, at the prices that the customer saw. */
function orderOf(shop: Shop, cart: readonly CartLine[], checkout: Checkout): OrderCreate {
  const delivery = shop.delivery.find(({ id }) => id === checkout.deliveryId);
  return {
    items: cart.map(({ productId, quantity, price }) => ({ productId, quantity, unitPrice: price })),
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
}

/**
 * Tells the customer what they ordered. Nothing that they typed is in the mail, so that nobody can send texts of their
 * own to the address of someone else.
 */
function orderMail(shop: Shop, order: Buffer, to: string, { link }: OrderMail): NewMail<'shop_order'> {
  const { number, currency, totalAmount, items = [] } = (JSON.parse(order.toString()) as { data: Order }).data;
  const lines = items
    .slice(0, MAX_MAILED_LINES)
    .map(({ name, quantity, lineTotal }) => ({ name, quantity, total: lineTotal }));
  const params = { shop: shop.title, number, currency, lines, more: items.length - lines.length, total: totalAmount };
  return { storeId: shop.storeId, to, language: shop.language, kind: 'shop_order', params, link };
}

/** An order, and what it still costs. */
export interface CustomersOrder {
  order: Order;
  due: number;
  overpaid: number;
}

/** The order at a secret address. */
export async function orderAt(db: Queryable, storeId: string, secret: string): Promise<CustomersOrder | undefined> {
  const found = await queries.findOrder(db, storeId, hashOf(secret));
  if (!found) return undefined;
  const order = await orderWithId(db, storeId, found.order_id);
  const group = (await listOrderStatuses(db, storeId)).find(({ id }) => id === order.status.id)?.group;
  return { order, ...balanceOf(order, group === 'cancelled' || group === 'returned') };
}

async function orderWithId(db: Queryable, storeId: string, id: string): Promise<Order> {
  const { body } = await readOrder(db, storeId, id);
  return (JSON.parse(body.toString()) as { data: Order }).data;
}
