import type { FastifyReply, FastifyRequest } from 'fastify';
import { productsById } from '../catalog/products.ts';
import type { Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import type { Html } from '../http/html.ts';
import type { Services } from '../services.ts';
import { type CartLine, readCart } from './cart.ts';
import { findOpenShop, type Shop, shopOf } from './shops.ts';

export type ShopRequest = FastifyRequest<{ Params: { slug: string; id: string; secret: string } }>;

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
    const row = await findOpenShop(db.fastReads, request.params.slug);
    const run = async () => work(await shopOf(db.fastReads, row), cartOf(request));
    return limit('visit', row.store_id, run, { isGone: isGone(request) });
  };
