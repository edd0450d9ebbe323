import type { Product } from '@store-sales/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { browseCategories, browseProducts, newestProductIds } from '../catalog/browse.ts';
import { findProducts } from '../catalog/find-products.ts';
import type { Queryable } from '../db/database.ts';
import { orSuggest } from '../db/search/suggest.ts';
import { notFound } from '../domain-error.ts';
import { largestOf, picturesOfProducts } from '../files/pictures.ts';
import { acceptedEncoding, StaticText } from '../http/compression.ts';
import { html } from '../http/html.ts';
import { isKnown, tagOf } from '../http/if-none-match.ts';
import { LongResponse, LongWork, openResponses } from '../http/long-work.ts';
import type { Services } from '../services.ts';
import { feed } from './feeds.ts';
import { catalogPage, layout, type Page, productPage } from './pages.ts';
import { SCRIPT_PATH, script } from './script.ts';
import { type Shop, shopOf } from './shops.ts';
import { iconOf, styleOf } from './style.ts';
import { cartOf, countOf, findActiveProduct, findShop, isGone, type ShopRequest, send } from './visits.ts';

/** Of a search, or of the id of a category. */
const MAX_SEARCH_LENGTH = 100;
const MAX_CURSOR_LENGTH = 300;
/** Of the newest products. A sitemap may have ten times as many, but it is one response. */
const MAX_SITEMAP_PRODUCTS = 5000;
const MAX_DESCRIPTION_LENGTH = 200;
/** Sent at once by this process, of one shop. */
const MAX_FEEDS = 4;
const FOREVER = 'public, max-age=31536000, immutable';
/** Approximate memory of a cached page besides its key and content. */
const PAGE_OVERHEAD_BYTES = 300;
const MIB = 1024 * 1024;

/** The catalog as visitors see it. */
export function catalogRoutes(app: FastifyInstance, services: Services, publicUrl: () => string) {
  const { config, db, limit } = services;
  // A quarter on top of the memory for responses of the API, so that visitors do not evict those.
  const size = (config.RESPONSE_CACHE_MB * MIB) / 4;
  const pages = new LRUCache<string, StaticText>({
    // Not 0, which would mean no limit; no page fits into 1.
    maxSize: Math.floor(size) || 1,
    maxEntrySize: Math.ceil(size / 10) || 1,
    sizeCalculation: ({ maxBytes }, key) => key.length + maxBytes + PAGE_OVERHEAD_BYTES,
  });
  const addressOf = ({ slug }: Shop) => `${publicUrl()}/shop/${slug}`;
  const imageOf = ({ imageUrl }: Product) => (imageUrl.startsWith('/') ? publicUrl() + imageUrl : imageUrl);

  /**
   * Sends a text that depends on the catalog and the shop alone. Its key names all that it depends on and is read first,
   * so that a cached text may be newer than its key but never older.
   */
  async function sendCached(
    request: ShopRequest,
    reply: FastifyReply,
    name: string,
    render: (shop: Shop) => Promise<string>,
  ) {
    const row = await findShop(db.fastReads, request);
    const key = JSON.stringify([row.store_id, row.seq, row.ts, row.slug, row.updated_at, row.store_name, name]);
    const make = async () => {
      // One that waited for others may find what they have made.
      const found = pages.get(key) ?? new StaticText(await render(await shopOf(db.fastReads, row)));
      pages.set(key, found);
      await found.as(acceptedEncoding(request));
      return found;
    };
    const found = pages.get(key) ?? (await limit('visit', row.store_id, make, { isGone: isGone(request) }));
    return found.send(request, reply.header('Cache-Control', 'private, no-cache'));
  }

  function sendPage(request: ShopRequest, reply: FastifyReply, name: string, render: (shop: Shop) => Promise<Page>) {
    const count = countOf(cartOf(request));
    reply.type('text/html; charset=utf-8');
    return sendCached(request, reply, `${name} ${count}`, async (shop) => layout(shop, count, await render(shop)).text);
  }

  app.get('/:slug', (request: ShopRequest, reply) => {
    const query = request.query as Record<string, unknown>;
    const text = (name: string, max: number) => {
      const value = query[name];
      return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, max) || undefined : undefined;
    };
    const q = text('q', MAX_SEARCH_LENGTH);
    const cursor = text('cursor', MAX_CURSOR_LENGTH);
    if (q) return sendResults(request, reply, q, cursor);
    const wanted = text('category', MAX_SEARCH_LENGTH);
    return sendPage(request, reply, `catalog ${wanted} ${cursor}`, async (shop) => {
      const { category, categories } = await browseCategories(db.fastReads, shop.storeId, wanted);
      const found = await browseProducts(db.fastReads, services, shop, { category: category?.id, cursor });
      const pictures = await picturesOf(db.fastReads, shop, found.data);
      const view = { products: found.data, pictures, nextCursor: found.page.nextCursor, categories, category, q };
      const url = `${addressOf(shop)}${category ? `?category=${category.id}` : ''}`;
      return {
        title: category?.name ?? shop.title,
        content: catalogPage(shop, view),
        sharing: cursor
          ? undefined
          : {
              url,
              image: shop.cover ? publicUrl() + largestOf(shop.cover) : undefined,
              description: descriptionOf(category ? '' : shop.about, named(found.data)),
            },
      };
    });
  });

  /** A search takes several statements on one connection of the pool, as the store's own slow reads do. */
  async function sendResults(request: ShopRequest, reply: FastifyReply, q: string, cursor: string | undefined) {
    const row = await findShop(db.fastReads, request);
    const search = async () => {
      const shop = await shopOf(db, row);
      const found = await orSuggest(db, 'products', shop.storeId, cursor ? undefined : q, (text = q) =>
        findProducts(db, services, shop, { active: 'true', q: text, ...(cursor && { cursor }) }),
      );
      const { categories } = await browseCategories(db, shop.storeId);
      const { data: products, suggestion } = found;
      const pictures = await picturesOf(db, shop, products);
      const nextCursor = found.page.nextCursor;
      const view = { products, pictures, nextCursor, categories, category: undefined, q, suggestion };
      const page = { title: q, q, content: catalogPage(shop, view) };
      return send(reply.header('Cache-Control', 'private, no-cache'), layout(shop, countOf(cartOf(request)), page));
    };
    const slowly = () => limit('slowRead', row.store_id, search, { isGone: isGone(request) });
    return limit('visit', row.store_id, slowly, { isGone: isGone(request) });
  }

  app.get('/:slug/products/:id', (request: ShopRequest, reply) =>
    sendPage(request, reply, `product ${request.params.id}`, async (shop) => {
      const product = await findActiveProduct(db.fastReads, shop, request.params.id);
      if (!product) throw notFound('product');
      const pictures = (await picturesOf(db.fastReads, shop, [product])).get(product.id) ?? [];
      const url = `${addressOf(shop)}/products/${product.id}`;
      const image = imageOf(product);
      const sharing = { url, image, description: descriptionOf(product.description, named([product])) };
      return { title: product.name, content: productPage(shop, product, { url, image, pictures }), sharing };
    }),
  );

  app.get('/:slug/sitemap.xml', (request: ShopRequest, reply) => {
    reply.type('application/xml; charset=utf-8');
    return sendCached(request, reply, 'sitemap', async (shop) => {
      const { categories } = await browseCategories(db.fastReads, shop.storeId);
      const ids = await newestProductIds(db.fastReads, shop.storeId, MAX_SITEMAP_PRODUCTS);
      const paths = ['', ...categories.map(({ id }) => `?category=${id}`), ...ids.map((id) => `/products/${id}`)];
      return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => html`<url><loc>${addressOf(shop)}${path}</loc></url>\n`)}</urlset>
`.text;
    });
  });

  const feeds = openResponses(MAX_FEEDS);
  for (const name of ['yml', 'google'] as const)
    app.get(`/:slug/feeds/${name}.xml`, async (request: ShopRequest, reply) => {
      const findFed = async (reads: Queryable) => {
        const row = await findShop(reads, request);
        if (!row.is_in_feeds) throw notFound('feed');
        return row;
      };
      const row = await findFed(db.fastReads);
      const etag = tagOf(JSON.stringify([row.seq, row.ts, row.slug, row.updated_at, row.store_name]));
      reply.headers({ ETag: etag, 'Cache-Control': 'no-cache' });
      if (isKnown(request, etag)) return reply.code(304).send();
      const shop = await shopOf(db.fastReads, row);
      const close = feeds.open(shop.storeId);
      const work = new LongWork({
        db,
        check: async (reads) => void (await findFed(reads)),
        isGone: isGone(request),
        limit: (piece) => limit('visit', shop.storeId, piece, { isStreaming: true }),
        file: undefined,
      });
      const pieces = feed(name, { db, paging: services, shop, url: addressOf(shop), changedAt: row.ts, imageOf });
      return reply.type('application/xml; charset=utf-8').send(new LongResponse(work, pieces).once('close', close));
    });

  for (const [name, type, render] of [
    ['style.css', 'text/css; charset=utf-8', styleOf],
    ['icon.svg', 'image/svg+xml', iconOf],
  ] as const)
    app.get(`/:slug/${name}`, async (request: ShopRequest, reply) => {
      const { accent } = await findShop(db.fastReads, request);
      const key = `${name} ${accent}`;
      const found = pages.get(key) ?? new StaticText(render(accent));
      pages.set(key, found);
      return found.send(request, reply.type(type).header('Cache-Control', FOREVER));
    });

  const scriptFile = new StaticText(script);
  app.get(SCRIPT_PATH, (request, reply) => {
    reply.type('text/javascript; charset=utf-8').header('Cache-Control', FOREVER);
    return scriptFile.send(request, reply);
  });
}

const picturesOf = (at: Queryable, { storeId }: Shop, products: readonly Product[]) =>
  picturesOfProducts(
    at,
    storeId,
    products.map(({ id }) => id),
  );

/** Without a text, what is offered. */
const descriptionOf = (text: string, offered: string) =>
  (text.replace(/\s+/g, ' ').trim() || offered).slice(0, MAX_DESCRIPTION_LENGTH);

const named = (products: readonly Product[]) => products.map(({ name }) => name).join(', ');
