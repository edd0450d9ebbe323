import type { Order } from '@store-sales/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, notFound } from '../domain-error.ts';
import { clientNetwork } from '../http/client-address.ts';
import { mailOutbox } from '../mail/outbox.ts';
import type { Services } from '../services.ts';
import { HOUR } from '../time/duration.ts';
import { type CartLine, cartHash, MAX_LINES, MAX_QUANTITY, writeCart } from './cart.ts';
import { FORM_SECONDS, type FormToken, formTokens } from './checkout-form.ts';
import { checkoutOf, errorsOf, noValues } from './form-fields.ts';
import { orderLimit } from './order-limit.ts';
import { cartPage, checkoutPage, deliveryCosts, layout, orderPage, refusalPage } from './pages.ts';
import { currentCart, orderAt, placeOrder } from './place-order.ts';
import { discountOf, promoCodes, shownPromo } from './promo-code.ts';
import type { Shop } from './shops.ts';
import { fill, type Texts, textsOf } from './texts.ts';
import { countOf, findActiveProduct, inShop, isGone, type ShopRequest, send } from './visits.ts';

/** Of the mails that a store may send in an hour, so that one visitor does not use up all of them. */
const MAX_MAILS_PER_NETWORK = 20;
const CART_SECONDS = 30 * 86_400;

/** Cart, checkout and the customer's order page. */
export function orderRoutes(app: FastifyInstance, services: Services, publicUrl: () => string) {
  const { config, db, limit, now } = services;
  const reads = db.fastReads;
  const visit = inShop(services);
  const outbox = mailOutbox(config);
  const tokens = formTokens(config.SECRET_KEY);
  const orders = orderLimit(config.SHOP_ORDERS_PER_MINUTE);
  const mails = orderLimit(MAX_MAILS_PER_NETWORK, HOUR);
  const applied = promoCodes(reads, config.SHOP_ORDERS_PER_MINUTE, now);
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const cookieOf = ({ slug }: Shop) => ({ path: `/shop/${slug}`, httpOnly: true, sameSite: 'lax', secure }) as const;
  const saveCart = (reply: FastifyReply, shop: Shop, lines: readonly CartLine[]) =>
    lines.length
      ? reply.setCookie('cart', writeCart(lines), { ...cookieOf(shop), maxAge: CART_SECONDS })
      : reply.clearCookie('cart', cookieOf(shop));

  const addressOf = ({ slug }: Shop, token: FormToken) => `/shop/${slug}/orders/${token.secret}`;
  const readToken = (shop: Shop, sent: string | null | undefined) => tokens.read(shop.storeId, sent ?? '', now());
  /** The form keeps its token until it is ordered, so that going back to it after a lost response makes no second order. */
  function issueToken(reply: FastifyReply, shop: Shop) {
    const token = tokens.issue(shop.storeId, now());
    reply.setCookie('form', token, { ...cookieOf(shop), maxAge: FORM_SECONDS });
    return token;
  }
  /** Leads to the order of a form that was sent before, whatever has changed since. False if there is none. */
  async function redirectToOrder(reply: FastifyReply, shop: Shop, cart: CartLine[], token: FormToken | undefined) {
    const found = token && (await orderAt(reads, shop.storeId, token.secret));
    if (!found) return false;
    // The response that emptied the cart was lost.
    if (isOrderOf(cart, found.order)) saveCart(reply, shop, []);
    reply.clearCookie('form', cookieOf(shop)).redirect(addressOf(shop, token), 303);
    return true;
  }

  function refuse(reply: FastifyReply, status: number, shop: Shop, cart: CartLine[], reason: keyof Texts['refusals']) {
    const content = refusalPage(shop, reason);
    return send(reply.code(status), layout(shop, countOf(cart), { title: textsOf(shop.language).notAdded, content }));
  }

  app.get('/:slug/cart', (request: ShopRequest, reply) =>
    visit(request, async (shop, cart) => {
      const { lines, total, changes } = await currentCart(reads, shop, cart);
      if (changes.length) saveCart(reply, shop, lines);
      reply.header('Cache-Control', 'no-store');
      const content = cartPage(shop, { lines, total }, changes);
      return send(reply, layout(shop, countOf(lines), { title: textsOf(shop.language).cart, content }));
    }),
  );

  app.post('/:slug/cart', (request: ShopRequest, reply) =>
    visit(request, async (shop, cart) => {
      const form = formOf(request);
      const [sent, action] = [form.get('product') ?? '', form.get('action')];
      const showCart = () => reply.redirect(`/shop/${shop.slug}/cart`, 303);
      if (action === 'remove') {
        const others = cart.filter(({ productId }) => productId !== sent);
        saveCart(reply, shop, others);
        return showCart();
      }
      const product = await findActiveProduct(reads, shop, sent);
      // The page of the cart says what is no longer sold.
      if (!product) return action === 'add' ? refuse(reply, 404, shop, cart, 'gone') : showCart();
      const { id, price } = product;
      const before = cart.find(({ productId }) => productId === id)?.quantity ?? 0;
      if (action === 'add' && product.stock !== null && product.stock < 1)
        return refuse(reply, 409, shop, cart, 'soldOut');
      // The page of the cart says how many are left.
      const line = { productId: id, quantity: quantityOf(form, before), price };
      const lines = before ? cart.map((each) => (each.productId === id ? line : each)) : [...cart, line];
      if (lines.length > MAX_LINES) return refuse(reply, 409, shop, cart, 'full');
      saveCart(reply, shop, lines);
      return showCart();
    }),
  );

  app.get('/:slug/checkout', (request: ShopRequest, reply) =>
    visit(request, async (shop, cart) => {
      const { form } = request.cookies;
      const known = readToken(shop, form);
      if (await redirectToOrder(reply, shop, cart, known)) return reply;
      const { lines, total, changes } = await currentCart(reads, shop, cart);
      if (!lines.length || total < shop.smallestOrder) return reply.redirect(`/shop/${shop.slug}/cart`, 303);
      if (changes.length) saveCart(reply, shop, lines);
      const [delivery] = shop.delivery;
      const [payment] = shop.payments;
      const values = { ...noValues, deliveryId: delivery?.id ?? '', paymentId: payment?.id ?? '' };
      const token = form && known ? form : issueToken(reply, shop);
      reply.header('Cache-Control', 'no-store');
      const view = { cart: { lines, total }, promo: undefined, token, values, errors: {}, changes };
      const content = checkoutPage(shop, view);
      return send(reply, layout(shop, countOf(lines), { title: textsOf(shop.language).checkout, content }));
    }),
  );

  app.post('/:slug/checkout', (request: ShopRequest, reply) =>
    visit(request, (shop, cart) => checkOut(request, reply, shop, cart)),
  );

  async function checkOut(request: ShopRequest, reply: FastifyReply, shop: Shop, cart: CartLine[]) {
    const t = textsOf(shop.language);
    const form = formOf(request);
    const at = now();
    const values = checkoutOf(form);
    const token = readToken(shop, form.get('token'));
    if (await redirectToOrder(reply, shop, cart, token)) return reply;

    const network = clientNetwork(request.ip);
    const isApplying = form.get('action') === 'apply';
    const again = async (status: number, notice?: string, isNewForm = false) => {
      const current = await currentCart(reads, shop, cart);
      if (!current.lines.length) return reply.redirect(`/shop/${shop.slug}/cart`, 303);
      if (current.changes.length) saveCart(reply, shop, current.lines);
      const promo = await applied(shop, current.lines, values.promoCode, network);
      const view = {
        cart: current,
        promo,
        token: isNewForm ? issueToken(reply, shop) : (form.get('token') as string),
        values,
        errors: isApplying ? {} : errorsOf(shop, values),
        notice,
        changes: current.changes,
      };
      if (promo && 'wait' in promo) reply.header('Retry-After', promo.wait);
      const isRefused = promo && !('discount' in promo);
      reply.code(promo && 'wait' in promo ? 429 : isRefused ? 422 : status).header('Cache-Control', 'no-store');
      const content = checkoutPage(shop, view);
      return send(reply, layout(shop, countOf(current.lines), { title: t.checkout, content }));
    };
    if (!token) return again(422, t.formExpired, true);
    if (isApplying) return again(200);
    // Robots fill in what people do not see, and faster than people can.
    if (form.get('website') || token.isTooFast) return again(422, t.slower);
    if (Object.keys(errorsOf(shop, values)).length) return again(422, t.checkForm);
    const { lines, total, changes } = await currentCart(reads, shop, cart);
    if (!lines.length || total < shop.smallestOrder) return reply.redirect(`/shop/${shop.slug}/cart`, 303);
    if (changes.length) return again(409);
    // Another tab has changed the cart, or has shown a new price.
    if (form.get('cart') !== cartHash(lines)) return again(409, t.changed);
    if (form.get('costs') !== deliveryCosts(shop)) return again(409, t.costsChanged);
    const promo = await applied(shop, lines, values.promoCode, network);
    if (promo && !('discount' in promo)) return again(422, t.checkForm);
    if ((form.get('promo') ?? '') !== shownPromo(promo)) return again(409, promo ? t.promoApplied : t.promoRemoved);
    const wait = orders.take(network, token.secret, at);
    if (wait) throw new DomainError('rate_limited', 'Too many orders from one network.', [], wait);
    const placing = { cart: lines, checkout: values, promoDiscount: discountOf(promo), secret: token.secret };
    const isMailed = values.email !== '' && !mails.take(`${shop.storeId} ${network}`, token.secret, at);
    const mail = outbox && isMailed ? { outbox, link: publicUrl() + addressOf(shop, token) } : undefined;
    const place = () => db.write(placeOrder(shop, placing, at, mail));
    const placed = await limit('orderWrite', shop.storeId, place, { isGone: isGone(request) });
    if ('hasChanged' in placed) return again(409);
    saveCart(reply, shop, []).clearCookie('form', cookieOf(shop));
    return reply.redirect(`${addressOf(shop, token)}?new`, 303);
  }

  app.get('/:slug/orders/:secret', (request: ShopRequest, reply) =>
    visit(request, async (shop, cart) => {
      const found = await orderAt(reads, shop.storeId, request.params.secret);
      if (!found) throw notFound('order');
      reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer');
      const isNew = 'new' in (request.query as object);
      const title = fill(textsOf(shop.language).orderTitle, { number: String(found.order.number) });
      return send(reply, layout(shop, countOf(cart), { title, content: orderPage(shop, found, isNew) }));
    }),
  );
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  throw new DomainError('unsupported_media_type', 'Send the form of the page.');
}

const isOrderOf = (cart: readonly CartLine[], { items = [] }: Order) =>
  cart.length === items.length &&
  cart.every((line) => items.some((item) => item.productId === line.productId && item.quantity === line.quantity));

/** The new quantity of a product in the cart. */
function quantityOf(form: URLSearchParams, before: number): number {
  if (form.get('action') === 'add') return Math.min(before + 1, MAX_QUANTITY);
  const sent = form.get('quantity') ?? '';
  return /^\d{1,9}$/.test(sent) ? Math.min(Math.max(Number(sent), 1), MAX_QUANTITY) : before || 1;
}
