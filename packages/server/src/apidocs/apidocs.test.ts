import { type Endpoint, endpoints, errorCodes, errorCodesOf, fieldErrorCodes } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { assets } from './assets.ts';
import { Reference } from './document.ts';
import { referencePage } from './reference-page.ts';

const service = await startService();
const pages = ['/docs', '/docs/errors'] as const;
const rows = Object.entries(endpoints) as [string, Endpoint][];
const attributes = (page: string, name: string) =>
  [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value as string);
const visible = (page: string) =>
  page
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe.each(pages)('%s', (path) => {
  test('is a page with strict headers', async () => {
    const { status, headers, text } = await service.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  test('loads nothing from other hosts, and has nothing inline', async () => {
    const { text } = await service.get(path);
    for (const address of [...attributes(text, 'src'), ...attributes(text, 'href')])
      expect(address).toMatch(/^(\/(docs|api)\b|#)/);
    expect(text).not.toMatch(/<style|<script(?! type="module" src=)| style=| on\w+=|<iframe| action=/);
  });

  test('has one h1, headings in order, and each anchor once', async () => {
    const { text } = await service.get(path);
    const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, index) => void expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1));
    const ids = attributes(text, 'id');
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('has no broken links', async () => {
    const texts = new Map<string, string>();
    for (const page of pages) texts.set(page, (await service.get(page)).text);
    for (const href of new Set(attributes(texts.get(path) as string, 'href'))) {
      const [page, anchor] = href.split('#') as [string, string?];
      const target = texts.get(page || path);
      if (!target) expect((await service.get(page)).status, href).toBe(200);
      else if (anchor) expect(attributes(target, 'id'), href).toContain(anchor);
    }
  });

  test('is compressed with gzip, and 304 if it is unchanged', async () => {
    const zipped = await service.get(path, undefined, { 'accept-encoding': 'gzip' });
    const plain = await service.get(path, undefined, { 'accept-encoding': 'identity' });
    expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(zipped.text).toBe(plain.text);
    const again = await service.get(path, undefined, { 'if-none-match': plain.headers.get('etag') as string });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

test('HTML in the address is escaped', () => {
  const { text } = referencePage(new Reference('https://x/"><script>alert(1)</script>', '<b>'));
  expect(text).not.toMatch(/<script>|<b>/);
  expect(text).toContain('https://x/&quot;&gt;&lt;script&gt;alert(1)');
});

describe('the reference', () => {
  test.each(rows)('shows %s with its right, its codes and its examples', async (name, row) => {
    const { text } = await service.get('/docs');
    const start = text.indexOf(`<h3 id="${name}">`);
    expect(start).toBeGreaterThan(0);
    const section = text.slice(start, text.indexOf('</section>', start));
    const words = visible(section);
    expect(words).toContain(row.summary);
    expect(words).toContain(`${row.method} /api/v1${row.path}`);
    expect(words).toContain(row.right ? `Right ${row.right}` : 'Any valid key');
    for (const code of errorCodesOf(row)) expect(section).toContain(`href="/docs/errors#${code}"`);
    for (const parameter of Object.keys(row.query?.properties ?? {}))
      expect(section).toContain(`<code>${parameter}</code>`);
    expect(words).toContain(`Response, ${row.statuses[0]}`);
    expect(words).toContain('-H "Authorization: Bearer $API_KEY"');
  });

  test('shows nested fields below their object, with what is required and what is allowed', async () => {
    const { text } = await service.get('/docs');
    const body = text.slice(text.indexOf('id="createOrder-body"'), text.indexOf('id="createOrder-response"'));
    const line = (end: string) => visible(body.split('<tr').find((part) => part.includes(`${end}</code>`)) as string);
    expect(line('<span class="unseen">items[].</span>quantity')).toMatch(/required\s*integer[\s\S]*1 to 1,000,000/);
    expect(line('<span class="unseen">delivery.</span>cost')).toContain('integer, kopecks');
    expect(line('<code>items')).toMatch(/required\s*array of objects[\s\S]*1 to 500 entries/);
    expect(visible(text)).toContain('One of createdAt:desc, createdAt:asc, updatedAt:desc, updatedAt:asc');
    expect(visible(text)).toContain('Default 50');
  });

  test('each parameter and each field has an anchor', async () => {
    const ids = attributes((await service.get('/docs')).text, 'id');
    for (const id of [
      'listOrders-parameters.filter.updatedAt.from',
      'createOrder-body.items.quantity',
      'createOrder-parameters.Idempotency-Key',
      'readOrder-response.data.delivery.cost',
      'listProducts-response.page.nextCursor',
      'webhook-payload.data.orderId',
    ])
      expect(ids).toContain(id);
  });

  test.each(rows)('has the form of %s, with all its parameters and its body', async (name, row) => {
    const { text } = await service.get('/docs');
    const section = text.slice(text.indexOf(`<h3 id="${name}">`));
    const form = section.slice(section.indexOf('<form'), section.indexOf('</form>'));
    expect(form).toContain(`data-method="${row.method}" data-path="/api/v1${row.path}"`);
    for (const parameter of Object.keys(row.query?.properties ?? {}))
      expect(form).toContain(`name="${parameter}" data-in="query"`);
    expect(form.includes('name="id" data-in="path" required')).toBe(row.path.includes('{id}'));
    expect(form.includes('<textarea name="body"')).toBe(row.body !== undefined);
    expect(form.includes('name="Idempotency-Key" data-in="header"')).toBe(row.method === 'POST');
    expect(form.includes('This changes data')).toBe(row.method !== 'GET');
  });

  test('shows the times of the attempts of a webhook', async () => {
    const { text } = await service.get('/docs');
    const table = text.slice(text.indexOf('Attempts of a delivery'));
    const cells = [...table.matchAll(/<tr><th scope="row">(\d)<\/th><td>([^<]*)<\/td><td>([^<]*)/g)];
    expect(cells.map(([, , wait, since]) => `${wait}, ${since}`)).toEqual([
      'immediately, 0 min',
      '1 min, 1 min',
      '5 min, 6 min',
      '30 min, 36 min',
      '2 h, 2 h 36 min',
      '6 h, 8 h 36 min',
      '12 h, 20 h 36 min',
    ]);
  });

  test('redirects from /docs/', async () => {
    const reply = await service.get('/docs/');
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/docs']);
  });
});

describe('the error reference', () => {
  test('has an anchor, the status, the title and the advice of every code', async () => {
    const { text } = await service.get('/docs/errors');
    for (const [code, { status, title, advice }] of Object.entries(errorCodes)) {
      const start = text.indexOf(`<h3 id="${code}">`);
      expect(start, code).toBeGreaterThan(0);
      const words = visible(text.slice(start, text.indexOf('</section>', start)));
      expect(words).toMatch(new RegExp(`\\b${status}\\b`));
      expect(words).toContain(title);
      expect(words).toContain(advice.replaceAll('`', ''));
    }
  });

  test('has an anchor and the meaning of every field error code', async () => {
    const { text } = await service.get('/docs/errors');
    for (const [code, meaning] of Object.entries(fieldErrorCodes)) {
      expect(attributes(text, 'id')).toContain(`field-${code}`);
      expect(visible(text)).toContain(meaning.replaceAll('`', ''));
    }
  });

  test('is linked from problem documents', async () => {
    const { body } = await service.get('/api/v1/orders');
    const { text } = await service.get('/docs/errors');
    expect(body.type).toMatch(/\/docs\/errors#missing_key$/);
    expect(attributes(text, 'id')).toContain(new URL(body.type).hash.slice(1));
  });
});

test.each(Object.entries(assets))('the %s is cached forever, because its path contains its hash', async (_, asset) => {
  expect(asset.path).toMatch(/^\/docs\/assets\/[\w-]+\.[\w-]{22}\.(css|js|svg)$/);
  const { status, headers, text } = await service.get(asset.path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(asset.type);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).toBe(asset.text);
  expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import|url\(/);
  const { text: page } = await service.get('/docs');
  expect(page).toContain(`"${asset.path}"`);
});

// The content security policy enforces it in browsers that know trusted types.
test.each(['page', 'search', 'tryIt'] as const)('the script %s makes no HTML or code of texts', (name) => {
  expect(assets[name].text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(/);
});

test('the key of the reader is neither stored nor sent with cookies or to a redirect', () => {
  const { text } = assets.tryIt;
  expect(text).not.toMatch(/localStorage|sessionStorage|document\.cookie|history\./);
  expect(text).toContain("credentials: 'omit'");
  expect(text).toContain("redirect: 'error'");
});
