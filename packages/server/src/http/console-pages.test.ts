import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { consolePages, secureHeaders } from './console-pages.ts';

const directory = mkdtempSync(join(tmpdir(), 'console-pages-'));
afterAll(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'assets'));
writeFileSync(join(directory, 'index.html'), '<title>Console</title>');
writeFileSync(join(directory, 'start.js'), 'start()');
writeFileSync(join(directory, 'assets', 'app-1234.js'), 'app()');
writeFileSync(join(directory, 'assets', 'app-1234.js.br'), 'compressed');

async function serve(from: string) {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.code(400).send(String((error as { code?: string }).code)));
  await app.register(
    async (scope) => {
      secureHeaders(scope);
      await consolePages(scope, from);
    },
    { prefix: '/console' },
  );
  return (url: string, headers = {}) => app.inject({ url, headers });
}

describe('the built console', async () => {
  const get = await serve(directory);

  test.each(['/console/', '/console/sign-in', '/console/stores/x/api-keys', '/console/?next=a.b'])(
    '%s returns the page',
    async (url) => {
      const reply = await get(url);
      expect(reply.body).toBe('<title>Console</title>');
      expect(reply.headers['content-type']).toMatch(/^text\/html/);
      expect(reply.headers['cache-control']).toBe('no-cache');
    },
  );

  test.each(['bytes=0-3', 'bytes=99999999999999999999-', 'bytes=5-1', 'x'])(
    'a range of %s is ignored',
    async (range) => {
      for (const url of ['/console/', '/console/start.js', '/console/assets/app-1234.js'])
        expect((await get(url, { range })).statusCode).toBe(200);
    },
  );

  test('the path without a slash redirects to the one with it', async () => {
    const reply = await get('/console');
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/console/']);
  });

  test('a file with a hash in its name is cached for a year, others are revalidated', async () => {
    const asset = await get('/console/assets/app-1234.js');
    expect([asset.body, asset.headers['cache-control']]).toEqual(['app()', 'public, max-age=31536000, immutable']);
    const script = await get('/console/start.js');
    expect([script.body, script.headers['cache-control']]).toEqual(['start()', 'no-cache']);
  });

  test('a compressed file is sent to clients that accept it', async () => {
    const reply = await get('/console/assets/app-1234.js', { 'accept-encoding': 'gzip, br' });
    expect([reply.body, reply.headers['content-encoding'], reply.headers.vary]).toEqual([
      'compressed',
      'br',
      'accept-encoding',
    ]);
    expect(reply.headers['content-type']).toMatch(/javascript/);
  });

  test.each(['/console/none.js', '/console/assets/none.js', '/console/..%2f..%2fpackage.json'])(
    '%s is not found',
    async (url) => {
      expect((await get(url)).body).toBe('not_found');
    },
  );

  test('only own scripts are allowed, and no framing', async () => {
    const { headers } = await get('/console/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  });
});

test('without a built console the response is unavailable', async () => {
  const get = await serve(join(directory, 'none'));
  expect((await get('/console/')).body).toBe('unavailable');
});

test('unknown API paths are 404, not a console page', async () => {
  const service = await startService();
  for (const path of ['/console/api', '/console/api/nothing', '/console/api/stores/x/y']) {
    const reply = await service.get(path);
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'");
  }
});
