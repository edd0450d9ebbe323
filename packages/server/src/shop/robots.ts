import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { openSlugs } from './shops.queries.ts';

/** Search engines read the first 500 KiB. */
const MAX_SHOPS = 5000;
const KEPT_MS = 10_000;

/** Names the sitemaps of the open order pages, and what else is here is not for search engines. */
export function robotsRoute(app: FastifyInstance, { db, now }: Services, publicUrl: () => string) {
  let kept: { at: number; text: Promise<string> } | undefined;
  async function read() {
    const slugs = await openSlugs(db, MAX_SHOPS);
    const sitemaps = slugs.map(({ slug }) => `Sitemap: ${publicUrl()}/shop/${slug}/sitemap.xml\n`);
    return `User-agent: *\nDisallow: /console/\nDisallow: /api/\n${sitemaps.join('')}`;
  }
  app.get('/robots.txt', async (_request, reply) => {
    if (!kept || Math.abs(now() - kept.at) >= KEPT_MS) {
      const text = read();
      kept = { at: now(), text };
      text.catch(() => {
        kept = undefined;
      });
    }
    return reply.type('text/plain; charset=utf-8').send(await kept.text);
  });
}
