import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';

const service = await startService();
const owner = await service.owner();
const signedIn = browser(service);
await signedIn.signIn(owner.email);
const cookie = `session=${signedIn.jar.get('session')}`;

const post = (headers: Record<string, string>) =>
  service.send('POST', '/console/api/stores', {
    headers: { cookie, ...headers },
    body: { name: 'Made', currency: 'RUB', timezone: 'Europe/Moscow' },
  });

describe('changes', () => {
  test.each([
    ['our origin', { origin: service.url }],
    [
      'a same-origin page, behind a proxy that changes the host',
      { 'sec-fetch-site': 'same-origin', origin: 'https://x' },
    ],
  ])('are accepted from %s', async (_name, headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(201);
  });

  test.each([
    ['an unknown origin', {}],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: service.url }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site', origin: service.url }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('are rejected from %s', async (_name, headers) => {
    const reply = await post(headers as Record<string, string>);
    expect([reply.status, reply.body.code]).toEqual([403, 'cross_site']);
  });

  test('a form post is rejected, cross-site or not', async () => {
    const form = (headers: Record<string, string>) =>
      service.send('POST', '/console/api/session', {
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        rawBody: `email=${owner.email}&password=correct+horse`,
      });
    expect((await form({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await form({ origin: service.url })).status).toBe(415);
    const text = await service.send('POST', '/console/api/stores', {
      headers: { cookie, origin: service.url, 'content-type': 'text/plain' },
      rawBody: '{"name":"Made"}',
    });
    expect(text.status).toBe(415);
  });

  test('signing in and out is checked too', async () => {
    for (const method of ['POST', 'DELETE'])
      expect((await service.send(method, '/console/api/session', { headers: { cookie } })).status).toBe(403);
    expect((await signedIn.get('/session')).body.account.id).toBe(owner.id);
  });
});

describe('with PUBLIC_URL', () => {
  test('its origin is accepted, and https adds all cookie attributes', async () => {
    const behindProxy = await startService({ env: { PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' } });
    const { email } = await behindProxy.owner();
    const visitor = browser(behindProxy, { origin: 'https://shop.example' });
    const reply = await visitor.signIn(email);
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-browser=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect((await visitor.get('/session')).body.account.email).toBe(email);
    // A cookie without the prefix is ignored: a sibling domain could have set it.
    visitor.jar.set('session', visitor.jar.get('__Host-session') as string);
    visitor.jar.delete('__Host-session');
    expect((await visitor.get('/session')).body.account).toBeNull();
  });

  test('the address reported by the proxy is rate-limited, not the proxy', async () => {
    const behindProxy = await startService({ env: { PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' } });
    const { email } = await behindProxy.owner();
    const from = (address: string) =>
      browser(behindProxy, { origin: 'https://shop.example', 'x-forwarded-for': `6.6.6.6, ${address}` });
    for (let count = 0; count < 50; count++) await from('192.0.2.1').signIn(`guess${count}@example.test`);
    expect((await from('192.0.2.1').signIn(email)).status).toBe(429);
    expect((await from('192.0.2.2').signIn(email)).status).toBe(204);
  });
});
