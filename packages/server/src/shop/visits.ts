import type { FastifyReply, FastifyRequest } from 'fastify';
import { productsById } from '../catalog/products.ts';
import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import type { Html } from '../http/html.ts';
import type { Services } from '../services.ts';
import { type CartLine, readCart } from './cart.ts';
import { findOpenShop, type Language, type Shop, shopOf } from './shops.ts';

export type ShopRequest = FastifyRequest<{ Params: { slug: string; id: string; secret: string } }>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the order page, once it is found. */
    shopLanguage: Language | undefined;
  }
}

export async function findShop(db: Queryable, request: ShopRequest) {
  const row = await findOpenShop(db, request.params.slug);
  request.shopLanguage = row.language;
  return row;
}

export const isGone = (request: FastifyRequest) => () => request.raw.socket.destroyed;

export const countOf = (lines: readonly CartLine[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

export const send = (reply: FastifyReply, page: Html) => reply.type('text/html; charset=utf-8').send(page.text);

export const cartOf = (request: FastifyRequest) => readCart(request.cookies.cart);

export async function findActiveProduct(db: Queryable, shop: Shop, sent: string) {
  const id = asUuid(sent);
  const product = id ? (await productsById(db, shop, [id])).get(id) : undefined;
  return product?.isActive ? product : undefined;
}

/** Runs the work of a page of an open shop within the limit of the store's visitors. */
export const inShop =
  ({ db, limit }: Services) =>
  async <Result>(request: ShopRequest, work: (shop: Shop, cart: CartLine[]) => Promise<Result>) => {
    const row = await findShop(db.fastReads, request);
    const run = async () => work(await shopOf(db.fastReads, row), cartOf(request));
    return limit('visit', row.store_id, run, { isGone: isGone(request) });
  };
