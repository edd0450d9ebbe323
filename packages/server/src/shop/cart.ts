import { shortHash } from '../text/short-hash.ts';

/** A line of the cart. `price` is the one that the customer saw. */
export interface CartLine {
  productId: string;
  quantity: number;
  price: number;
}

/** Fits into a cookie of 4 KB. */
export const MAX_LINES = 50;
export const MAX_QUANTITY = 1000;

const LINE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(\d{1,4})\.(\d{1,16})$/;

/** The cart is in the cookie alone. Whatever it says, prices and names of an order come from the catalog. */
export function readCart(cookie: string | undefined): CartLine[] {
  const lines = new Map<string, CartLine>();
  for (const part of (cookie ?? '').split('~').slice(0, MAX_LINES)) {
    const [, productId, quantity, price] = LINE.exec(part) ?? [];
    if (!productId || !(Number(quantity) >= 1 && Number(quantity) <= MAX_QUANTITY)) continue;
    lines.set(productId, { productId, quantity: Number(quantity), price: Number(price) });
  }
  return [...lines.values()];
}

export const writeCart = (lines: readonly CartLine[]) =>
  lines.map(({ productId, quantity, price }) => `${productId}.${quantity}.${price}`).join('~');

/** Identifies the products, quantities and prices that a customer saw. */
export const cartHash = (lines: readonly CartLine[]) => shortHash(writeCart(lines));
