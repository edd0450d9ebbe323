import type { Product } from '@store-sales/contract';
import type { Picture } from '@store-sales/contract/console';
import { isReduced, isSoldOut, type ShownCategory } from '../catalog/browse.ts';
import { sizeFor } from '../files/pictures.ts';
import { Html, html, type Part } from '../http/html.ts';
import { moneyFormat } from '../text/money.ts';
import { cartHash, MAX_LINES, MAX_QUANTITY } from './cart.ts';
import type { CartChange, Checkout, CustomersOrder } from './place-order.ts';
import { discountOf, type ShownPromo, shownPromo } from './promo-code.ts';
import { SCRIPT_PATH } from './script.ts';
import type { Shop } from './shops.ts';
import { styleVersion } from './style.ts';
import { fill, type Texts, textsOf } from './texts.ts';

export type FormErrors = { [Field in keyof Checkout]?: keyof Texts['errors'] };

export interface CartView {
  lines: { productId: string; quantity: number; price: number; product: Product }[];
  total: number;
}

const amountOf = ({ currency, language }: Shop) => moneyFormat(language, currency);

export interface Page {
  title: string;
  content: Part;
  /** What was searched for. */
  q?: string;
  /** For search engines and messengers; pages without it are not indexed. */
  sharing?: { url: string; image?: string | undefined; description: string } | undefined;
}

/** A page of the shop, with its header and footer. */
export function layout(shop: Shop, cartCount: number, { title, content, q, sharing }: Page): Html {
  const t = textsOf(shop.language);
  const base = `/shop/${shop.slug}`;
  return html`<!doctype html>
<html lang="${shop.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === shop.title ? title : `${title} · ${shop.title}`}</title>
${
  sharing
    ? html`<link rel="canonical" href="${sharing.url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${shop.title}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${sharing.url}">
${sharing.image && html`<meta property="og:image" content="${sharing.image}">`}
<meta name="description" content="${sharing.description}">
<meta property="og:description" content="${sharing.description}">`
    : html`<meta name="robots" content="noindex">`
}
<link rel="stylesheet" href="${base}/style.css?v=${styleVersion(shop.accent)}">
<link rel="icon" href="${base}/icon.svg?v=${styleVersion(shop.accent)}" type="image/svg+xml">
<script type="module" src="/shop${SCRIPT_PATH}"></script>
</head>
<body data-added="${t.added}" data-to-cart="${t.toCart}" data-offline="${t.offline}" data-not-sent="${t.notSent}" data-not-saved="${t.notSaved}">
<header>
${shop.logo && sized(shop.logo, { name: '', sizes: LOGO_SIZES, className: 'logo', isSeenFirst: true })}
<a class="title" href="${base}">${shop.title}</a>
<form class="search" role="search" action="${base}" method="get">
<input type="search" name="q" value="${q}" maxlength="100" aria-label="${t.searchLabel}" placeholder="${t.searchLabel}">
<button class="plain">${t.search}</button>
</form>
<a class="cart" href="${base}/cart">${t.cart} ${cartCount > 0 && html`<span class="badge">${cartCount}</span>`}</a>
</header>
<main aria-label="${title}">
${content}
</main>
<footer>${shop.contacts}</footer>
<div id="status" role="status"></div>
</body>
</html>
`;
}

/** A page for an address without an open shop, which has no design of its own. */
export const plainPage = (language: Shop['language'], title: string, text: string): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;

/** How wide a picture is shown, for the browser to choose a size. */
const LIST_SIZES = '(max-width: 480px) 45vw, 300px';
const DETAIL_SIZES = '(max-width: 759px) 92vw, 500px';
const COVER_SIZES = '(max-width: 1080px) 100vw, 1048px';
const THUMBNAIL_SIZES = '72px';
const LOGO_SIZES = '80px';
/** For browsers that do not choose. */
const DEFAULT_WIDTH = 480;

interface Shown {
  name: string;
  sizes: string;
  className?: string;
  isSeenFirst: boolean;
}

/** An uploaded picture in all its sizes. Its dimensions keep its place free until it is loaded. */
function sized(picture: Picture, { name, sizes, className = 'picture', isSeenFirst }: Shown) {
  const { width, height } = picture.files.at(-1) ?? { width: 1, height: 1 };
  const srcset = picture.files.map((file) => `${file.url} ${file.width}w`).join(', ');
  return html`<img class="${className}" src="${sizeFor(picture, DEFAULT_WIDTH)}" srcset="${srcset}" sizes="${sizes}" width="${width}" height="${height}" alt="${name}" ${!isSeenFirst && html`loading="lazy"`} decoding="async">`;
}

/** Without a picture, the place stays empty. */
const picture = ({ imageUrl, name }: Product, isSeenFirst: boolean) =>
  imageUrl &&
  html`<img class="picture" src="${imageUrl}" alt="${name}" ${!isSeenFirst && html`loading="lazy"`} referrerpolicy="no-referrer">`;

/** The pictures beside each other, to swipe or to choose from small ones. */
function gallery(pictures: readonly Picture[], name: string, t: Texts) {
  const [only] = pictures;
  if (only && pictures.length === 1) return sized(only, { name, sizes: DETAIL_SIZES, isSeenFirst: true });
  const nameOf = (index: number) => `${name}, ${index + 1} / ${pictures.length}`;
  return html`<div class="gallery">
<ul class="pictures" tabindex="0" aria-label="${t.pictures}">
${pictures.map(
  (each, index) =>
    html`<li id="picture-${index + 1}">${sized(each, { name: nameOf(index), sizes: DETAIL_SIZES, isSeenFirst: index === 0 })}</li>`,
)}
</ul>
<ul class="thumbnails">
${pictures.map(
  (each, index) =>
    html`<li><a href="#picture-${index + 1}" aria-label="${nameOf(index)}">${sized(each, { name: '', sizes: THUMBNAIL_SIZES, isSeenFirst: false })}</a></li>`,
)}
</ul>
</div>`;
}

const pictureInList = (product: Product, [first]: readonly Picture[] = [], isSeenFirst: boolean) =>
  first ? sized(first, { name: product.name, sizes: LIST_SIZES, isSeenFirst }) : picture(product, isSeenFirst);

/** Seen without scrolling on a phone. */
const FIRST_PICTURES = 4;

const addForm = (shop: Shop, product: Product, t: Texts) =>
  isSoldOut(product) ? html`<p class="hint">${t.soldOut}</p>` : addButton(shop, product, t);

const addButton = (shop: Shop, { id }: Product, t: Texts) => html`<form action="/shop/${shop.slug}/cart" method="post">
<input type="hidden" name="product" value="${id}">
<input type="hidden" name="action" value="add">
<button>${t.addToCart}</button>
</form>`;

export interface CatalogView {
  products: readonly Product[];
  /** Those that were uploaded, by the id of their product. */
  pictures: ReadonlyMap<string, readonly Picture[]>;
  nextCursor: string | null;
  categories: readonly ShownCategory[];
  category: ShownCategory | undefined;
  q: string | undefined;
  /** A similar text that finds something. */
  suggestion?: string | undefined;
}

export function catalogPage(
  shop: Shop,
  { products, pictures, nextCursor, categories, category, q, suggestion }: CatalogView,
): Html {
  const t = textsOf(shop.language);
  const amount = amountOf(shop);
  const base = `/shop/${shop.slug}`;
  const next = new URLSearchParams({
    ...(category && { category: category.id }),
    ...(q && { q }),
    cursor: nextCursor ?? '',
  });
  // The title of the shop is in the header.
  return html`<h1 class="${q || category ? '' : 'hidden'}">${q ?? category?.name ?? shop.title}</h1>
${!category && !q && shop.cover && sized(shop.cover, { name: '', sizes: COVER_SIZES, className: 'cover', isSeenFirst: true })}
${!category && !q && html`<p class="about">${shop.about}</p>`}
${
  (categories.length > 0 || category) &&
  html`<nav aria-label="${t.categories}"><ul class="categories">
${category && html`<li><a href="${base}">${t.all}</a></li>`}
${categories.map(({ id, name }) => html`<li><a href="${base}?category=${id}">${name}</a></li>`)}
</ul></nav>`
}
${products.length === 0 && html`<p>${q ? t.nothingFound : t.empty}</p>`}
${suggestion && html`<p>${t.didYouMean} <a href="${base}?${new URLSearchParams({ q: suggestion }).toString()}">${suggestion}</a></p>`}
<ul class="products">
${products.map(
  (product, index) => html`<li class="product">
${pictureInList(product, pictures.get(product.id), index < FIRST_PICTURES)}
<h2><a href="${base}/products/${product.id}">${product.name}</a></h2>
<p class="price">${amount(product.price)}${oldPrice(shop, product)}</p>
${addForm(shop, product, t)}
</li>`,
)}
</ul>
${nextCursor && html`<p><a class="button" href="${base}?${next.toString()}">${t.more}</a></p>`}`;
}

interface Place {
  url: string;
  /** Absolute, for other sites. */
  image: string;
}

/** For search engines, as schema.org describes a product. It is data, which a content security policy does not concern. */
function productData(product: Product, { url, image }: Place) {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    ...(product.description && { description: product.description }),
    ...(product.sku && { sku: product.sku }),
    ...(image && { image }),
    url,
    offers: {
      '@type': 'Offer',
      url,
      price: (product.price / 100).toFixed(2),
      priceCurrency: product.currency,
      availability: `https://schema.org/${isSoldOut(product) ? 'OutOfStock' : 'InStock'}`,
    },
  };
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);
}

/** The price before a reduction. */
const oldPrice = (shop: Shop, product: Product) =>
  isReduced(product) &&
  html` <del><span class="hidden">${textsOf(shop.language).oldPrice} </span>${amountOf(shop)(product.oldPrice)}</del>`;

export function productPage(
  shop: Shop,
  product: Product,
  { pictures, ...place }: Place & { pictures: readonly Picture[] },
): Html {
  const t = textsOf(shop.language);
  return html`${productData(product, place)}
<article class="panel details">
${pictures.length ? gallery(pictures, product.name, t) : picture(product, true)}
<div>
<h1>${product.name}</h1>
<p class="price">${amountOf(shop)(product.price)}${oldPrice(shop, product)}</p>
${product.sku && html`<p class="hint">${t.sku}: ${product.sku}</p>`}
<p class="about">${product.description}</p>
${addForm(shop, product, t)}
</div>
</article>`;
}

const changeList = (shop: Shop, changes: readonly CartChange[]) => {
  const t = textsOf(shop.language);
  const amount = amountOf(shop);
  return html`<div class="notice" role="alert"><p>${t.changed}</p><ul>${changes.map(
    ({ line, product, left }) =>
      html`<li>${
        left !== undefined && product
          ? fill(left ? t.fewLeft : t.soldOutNamed, { name: product.name, left: String(left) })
          : product
            ? fill(t.priceChanged, { name: product.name, now: amount(product.price), before: amount(line.price) })
            : t.goneUnnamed
      }</li>`,
  )}</ul></div>`;
};

export function cartPage(shop: Shop, { lines, total }: CartView, changes: readonly CartChange[]): Html {
  const t = textsOf(shop.language);
  const amount = amountOf(shop);
  const base = `/shop/${shop.slug}`;
  if (!lines.length)
    return html`<h1>${t.cart}</h1>
${changes.length > 0 && changeList(shop, changes)}
<p>${t.cartEmpty}</p><p><a class="button" href="${base}">${t.continue}</a></p>`;
  return html`<h1>${t.cart}</h1>
${changes.length > 0 && changeList(shop, changes)}
${lines.map(
  ({ product, quantity, price }) => html`<form class="line" action="${base}/cart" method="post">
<input type="hidden" name="product" value="${product.id}">
<div><a href="${base}/products/${product.id}">${product.name}</a><br>${amount(price)}</div>
<div class="row">
<input class="quantity" id="quantity-${product.id}" type="number" name="quantity" value="${quantity}" min="1" max="${MAX_QUANTITY}" inputmode="numeric" aria-label="${t.quantity}: ${product.name}">
<button class="plain update" name="action" value="set">${t.update}</button>
<button class="plain" name="action" value="remove" aria-label="${t.remove}: ${product.name}">${t.remove}</button>
</div>
<strong>${amount(price * quantity)}</strong>
</form>`,
)}
<div class="cart-end">
<p class="totals"><span>${t.total}</span><span>${amount(total)}</span></p>
${
  total < shop.smallestOrder
    ? html`<p class="notice">${fill(t.smallest, { amount: amount(shop.smallestOrder) })}</p>`
    : html`<p><a class="button wide" href="${base}/checkout">${t.checkout}</a></p>`
}
</div>`;
}

/** Says why a product was not put into the cart. The script shows the reason alone. */
export function refusalPage(shop: Shop, reason: keyof Texts['refusals']): Html {
  const t = textsOf(shop.language);
  return html`<h1>${t.notAdded}</h1>
<p class="notice" id="refusal" role="alert">${fill(t.refusals[reason], { max: String(MAX_LINES) })}</p>
<p><a class="button" href="/shop/${shop.slug}">${t.continue}</a></p>`;
}

/** The costs that the customer sees; they come back with the form, to notice a change. */
export const deliveryCosts = ({ delivery }: Shop) => delivery.map(({ id, cost }) => `${id} ${cost}`).join();

export interface CheckoutView {
  cart: CartView;
  promo: ShownPromo | undefined;
  token: string;
  values: Checkout;
  errors: FormErrors;
  notice?: string | undefined;
  changes: readonly CartChange[];
}

/** Why a promo code does not apply; undefined if it does. */
function promoProblem(shop: Shop, promo: ShownPromo | undefined): string | undefined {
  if (!promo || 'discount' in promo) return undefined;
  const t = textsOf(shop.language);
  if ('wait' in promo) return t.tooManyCodes;
  const { refusal, row } = promo;
  return fill(t.promoRefusals[refusal], {
    amount: amountOf(shop)(row?.min_total ?? 0),
    time: new Intl.DateTimeFormat(shop.language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: shop.timezone,
    }).format(row?.from_at ?? 0),
  });
}

export function checkoutPage(shop: Shop, { cart, promo, token, values, errors, notice, changes }: CheckoutView): Html {
  const t = textsOf(shop.language);
  const amount = amountOf(shop);
  const promoError = errors.promoCode ? t.errors[errors.promoCode] : promoProblem(shop, promo);
  const total = cart.total - discountOf(promo);
  const problem = (field: keyof Checkout) => {
    const code = errors[field];
    return code && html`<p class="error" id="${field}-error">${t.errors[code]}</p>`;
  };
  const marks = (field: keyof Checkout) =>
    errors[field] ? html`aria-invalid="true" aria-describedby="${field}-error"` : html``;
  const input = (field: keyof Checkout, label: string, attributes: Html) => html`<div class="field">
<label for="${field}">${label}</label>
<input id="${field}" name="${field}" value="${values[field]}" ${attributes} ${marks(field)}>
${problem(field)}
</div>`;
  const costs = new Set(shop.delivery.map(({ cost }) => cost));
  // Without the script, the total cannot follow the choice.
  const sameCost = costs.size > 1 ? undefined : ([...costs][0] ?? 0);
  return html`<h1>${t.checkout}</h1>
${notice && html`<p class="notice" role="alert">${notice}</p>`}
${changes.length > 0 && changeList(shop, changes)}
<form class="checkout" action="/shop/${shop.slug}/checkout" method="post">
<button class="hidden" tabindex="-1" aria-hidden="true">${t.placeOrder}</button>
<div class="panel">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="costs" value="${deliveryCosts(shop)}">
<input type="hidden" name="promo" value="${shownPromo(promo)}">
<input type="hidden" name="cart" value="${cartHash(cart.lines)}">
<div class="trap" aria-hidden="true"><label>${t.trap}<input name="website" tabindex="-1" autocomplete="off"></label></div>
${input('name', t.name, html`required maxlength="200" autocomplete="name"`)}
${input('phone', t.phone, html`type="tel" maxlength="50" autocomplete="tel"`)}
${input('email', t.email, html`type="email" maxlength="254" autocomplete="email"`)}
<p class="hint">${t.contactHint}</p>
${
  shop.delivery.length > 0 &&
  html`<fieldset><legend>${t.delivery}</legend>
${shop.delivery.map(
  ({
    id,
    name,
    cost,
    needsAddress,
  }) => html`<label class="choice"><input type="radio" name="deliveryId" value="${id}" required
 data-total="${amount(total + cost)}" ${needsAddress && html`data-address`} ${values.deliveryId === id && html`checked`}><span>${name}, ${cost ? amount(cost) : t.free}</span></label>`,
)}
${problem('deliveryId')}
</fieldset>
${shop.delivery.some(({ needsAddress }) => needsAddress) && input('address', t.address, html`maxlength="500" autocomplete="street-address"`)}`
}
${
  shop.payments.length > 0 &&
  html`<fieldset><legend>${t.payment}</legend>
${shop.payments.map(
  ({ id, code, name }) => html`<label class="choice"><input type="radio" name="paymentId" value="${id}" required
 ${values.paymentId === id && html`checked`}><span>${t.paymentTypes[code] ?? name}</span></label>`,
)}
${problem('paymentId')}
</fieldset>`
}
<div class="field"><label for="notes">${t.notes} (${t.optional})</label>
<textarea id="notes" name="notes" rows="3" maxlength="5000" ${marks('notes')}>${values.notes}</textarea>${problem('notes')}</div>
</div>
<div class="panel">
<h2>${t.cart}</h2>
${cart.lines.map(
  ({ product, quantity, price }) =>
    html`<p class="sum"><span>${product.name} × ${quantity}</span><strong>${amount(price * quantity)}</strong></p>`,
)}
<div class="field promo"><label for="promoCode">${t.promoCode} (${t.optional})</label>
<div class="row"><input id="promoCode" name="promoCode" value="${values.promoCode}" maxlength="100" autocomplete="off" autocapitalize="none" ${promoError && html`aria-invalid="true" aria-describedby="promoCode-error"`}>
<button class="plain" id="apply" name="action" value="apply" formnovalidate>${t.apply}</button></div>
${promoError && html`<p class="error" id="promoCode-error" role="alert">${promoError}</p>`}
</div>
${
  promo &&
  'discount' in promo &&
  html`<p class="sum" role="status"><span>${t.promoCode} ${promo.row.code}</span><strong>${amount(-promo.discount)}</strong></p>`
}
${
  sameCost === undefined
    ? html`<p class="sum"><span>${t.goods}</span><strong>${amount(cart.total)}</strong></p>
<p class="totals scripted"><span>${t.total}</span><span id="total"></span></p><p class="hint unscripted">${t.plusDelivery}</p>`
    : html`<p class="sum"><span>${t.delivery}</span><strong>${sameCost ? amount(sameCost) : t.free}</strong></p>
<p class="totals"><span>${t.total}</span><span>${amount(total + sameCost)}</span></p>`
}
<button class="wide">${t.placeOrder}</button>
</div>
</form>`;
}

export function orderPage(shop: Shop, { order, due, overpaid }: CustomersOrder, isNew: boolean): Html {
  const t = textsOf(shop.language);
  const amount = amountOf(shop);
  const nameOf = ({ code, name }: { code: string | null; name: string }) => t.statuses[code ?? ''] ?? name;
  const row = (label: string, value: number) =>
    html`<p class="sum"><span>${label}</span><strong>${amount(value)}</strong></p>`;
  const discountRow = (label: string, discount: number) => discount > 0 && row(label, -discount);
  const { items = [] } = order;
  const orderDiscount = items.reduce((rest, { discount }) => rest - discount, order.discountTotal);
  return html`${isNew && html`<p class="notice" role="status">${t.thanks}</p>`}
<h1>${fill(t.orderTitle, { number: String(order.number) })}</h1>
<div class="panel">
<dl>
<dt>${t.status}</dt><dd>${nameOf(order.status)}</dd>
<dt>${t.paymentStatus}</dt><dd>${nameOf(order.paymentStatus)}</dd>
${order.delivery.type && html`<dt>${t.delivery}</dt><dd>${order.delivery.type} ${order.delivery.address}</dd>`}
${
  order.delivery.trackingNumber &&
  html`<dt>${t.tracking}</dt><dd>${
    order.delivery.trackingUrl
      ? html`<a href="${order.delivery.trackingUrl}" rel="noreferrer" target="_blank">${order.delivery.trackingNumber}</a>`
      : order.delivery.trackingNumber
  }</dd>`
}
${order.promoCode && html`<dt>${t.promoCode}</dt><dd>${order.promoCode}</dd>`}
</dl>
${items.map(({ name, quantity, lineTotal, discount }) => [
  row(`${name} × ${quantity}`, lineTotal + discount),
  discountRow(`${t.discount}: ${name}`, discount),
])}
${discountRow(t.orderDiscount, orderDiscount)}
${order.delivery.cost > 0 && row(t.delivery, order.delivery.cost)}
${discountRow(t.deliveryDiscount, order.delivery.discount)}
<p class="totals"><span>${t.total}</span><span>${amount(order.totalAmount)}</span></p>
${order.paidAmount > 0 && row(t.paid, order.paidAmount)}
${overpaid > 0 ? row(t.overpaid, overpaid) : (due > 0 || order.paidAmount > 0) && row(t.due, due)}
<p class="hint">${t.keepAddress}</p>
</div>`;
}
