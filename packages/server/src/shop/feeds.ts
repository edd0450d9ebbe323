import type { Category, Product } from '@store-sales/contract';
import { browseProducts, isReduced, isSoldOut } from '../catalog/browse.ts';
import { listCategories } from '../catalog/categories.ts';
import type { Queryable } from '../db/database.ts';
import type { Paging } from '../db/lists/list.ts';
import { html } from '../http/html.ts';
import { iso } from '../time/instant.ts';
import type { Shop } from './shops.ts';

/** Products of a piece of a feed, read by one statement. */
const PIECE_SIZE = 250;
const MAX_GOOGLE_TITLE = 150;
const MAX_GOOGLE_DESCRIPTION = 5000;
const MAX_YML_DESCRIPTION = 3000;
/** Of the path of a category. */
const MAX_LEVELS = 5;

export type FeedName = 'yml' | 'google';

/** What XML 1.0 does not allow, and halves of characters. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const plain = (text: string, max: number) => [...text.replace(NOT_XML, '')].slice(0, max).join('');

const decimal = (kopecks: number) => (kopecks / 100).toFixed(2);

interface Place {
  db: Queryable;
  paging: Paging;
  shop: Shop;
  /** The address of the order page. */
  url: string;
  /** When the catalog or the shop has changed last. */
  changedAt: number;
  /** The absolute address of a picture. */
  imageOf(product: Product): string;
}

/** The active products of the shop for another site, newest first, piece by piece. */
export async function* feed(name: FeedName, place: Place): AsyncGenerator<string> {
  const { db, paging, shop } = place;
  const { head, offer, tail } = formats[name](place, await listCategories(db, shop.storeId));
  yield head;
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const { data, page } = await browseProducts(db, paging, shop, { cursor, limit: PIECE_SIZE });
    yield data.map(offer).join('');
    cursor = page.nextCursor ?? undefined;
    isLast = !cursor;
  }
  yield tail;
}

type Format = (
  place: Place,
  categories: readonly Category[],
) => { head: string; offer(product: Product): string; tail: string };

/** Yandex admits at most 20 letters and digits as the id of an offer, 18 digits as that of a category. */
const offerId = (id: string) => id.replaceAll('-', '').slice(-20);
const categoryNumber = (id: string) => BigInt(`0x${id.replaceAll('-', '').slice(-14)}`).toString();
/** Of products without one: every offer of Yandex has a category. */
const NO_CATEGORY = '1';

const yml: Format = ({ shop, url, changedAt, imageOf }, categories) => ({
  head: html`<?xml version="1.0" encoding="UTF-8"?>
<yml_catalog date="${iso(changedAt)}"><shop>
<name>${plain(shop.title, 200)}</name>
<company>${plain(shop.title, 200)}</company>
<url>${url}</url>
<currencies><currency id="${shop.currency}" rate="1"/></currencies>
<categories>
<category id="${NO_CATEGORY}">${plain(shop.title, 200)}</category>
${categories.map(
  ({ id, name, parentId }) =>
    html`<category id="${categoryNumber(id)}"${parentId && html` parentId="${categoryNumber(parentId)}"`}>${plain(name, 255)}</category>\n`,
)}</categories>
<offers>
`.text,
  offer: (product) =>
    html`<offer id="${offerId(product.id)}" available="${String(!isSoldOut(product))}">
<url>${url}/products/${product.id}</url>
<price>${decimal(product.price)}</price>
${isReduced(product) && html`<oldprice>${decimal(product.oldPrice)}</oldprice>\n`}<currencyId>${product.currency}</currencyId>
<categoryId>${product.categoryId ? categoryNumber(product.categoryId) : NO_CATEGORY}</categoryId>
${product.imageUrl && html`<picture>${imageOf(product)}</picture>\n`}<name>${plain(product.name, 255)}</name>
${product.sku && html`<vendorCode>${plain(product.sku, 255)}</vendorCode>\n`}${
  product.description && html`<description>${plain(product.description, MAX_YML_DESCRIPTION)}</description>\n`
}</offer>
`.text,
  tail: '</offers>\n</shop></yml_catalog>\n',
});

const google: Format = ({ shop, url, imageOf }, categories) => {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const pathOf = (id: string) => {
    const names: string[] = [];
    let category = byId.get(id);
    for (; category && names.length < MAX_LEVELS; category = byId.get(category.parentId ?? ''))
      names.unshift(plain(category.name, 255));
    return names.join(' > ');
  };
  return {
    head: html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>
<title>${plain(shop.title, 200)}</title>
<link>${url}</link>
<description>${plain(shop.about || shop.title, MAX_GOOGLE_DESCRIPTION)}</description>
`.text,
    offer: (product) =>
      html`<item>
<g:id>${product.id}</g:id>
<g:title>${plain(product.name, MAX_GOOGLE_TITLE)}</g:title>
<g:description>${plain(product.description || product.name, MAX_GOOGLE_DESCRIPTION)}</g:description>
<g:link>${url}/products/${product.id}</g:link>
${product.imageUrl && html`<g:image_link>${imageOf(product)}</g:image_link>\n`}<g:availability>${isSoldOut(product) ? 'out_of_stock' : 'in_stock'}</g:availability>
<g:price>${decimal(isReduced(product) ? product.oldPrice : product.price)} ${product.currency}</g:price>
${isReduced(product) && html`<g:sale_price>${decimal(product.price)} ${product.currency}</g:sale_price>\n`}<g:condition>new</g:condition>
${product.categoryId && html`<g:product_type>${pathOf(product.categoryId)}</g:product_type>\n`}</item>
`.text,
    tail: '</channel></rss>\n',
  };
};

const formats: Record<FeedName, Format> = { yml, google };
