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
      'the browser says so, behind a proxy that hides our name',
      { 'sec-fetch-site': 'same-origin', origin: 'https://x' },
    ],
  ])('are accepted from %s', async (_name, headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(201);
  });

  test.each([
    ['nobody knows where', {}],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: service.url }],
    ['a sister domain', { 'sec-fetch-site': 'same-site', origin: service.url }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('are refused from %s', async (_name, headers) => {
    const reply = await post(headers as Record<string, string>);
    expect([reply.status, reply.body.code]).toEqual([403, 'cross_site']);
  });

  test('a cross-site form post is refused, and so is a form of our own', async () => {
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

  test('signing in and out is guarded as well', async () => {
    for (const method of ['POST', 'DELETE'])
      expect((await service.send(method, '/console/api/session', { headers: { cookie } })).status).toBe(403);
    expect((await signedIn.get('/session')).body.owner.id).toBe(owner.id);
  });
});

describe('with PUBLIC_URL', () => {
  test('its origin is ours, and https gives the cookie all its marks', async () => {
    const behindProxy = await startService({ env: { PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' } });
    const { email } = await behindProxy.owner();
    const visitor = browser(behindProxy, { origin: 'https://shop.example' });
    const reply = await visitor.signIn(email);
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-browser=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect((await visitor.get('/session')).body.owner.email).toBe(email);
    // A cookie that a sister domain could have planted is not looked at.
    visitor.jar.set('session', visitor.jar.get('__Host-session') as string);
    visitor.jar.delete('__Host-session');
    expect((await visitor.get('/session')).body.owner).toBeNull();
  });

  test('the address that the proxy noted is slowed down, not the proxy', async () => {
    const behindProxy = await startService({ env: { PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' } });
    const { email } = await behindProxy.owner();
    const from = (address: string) =>
      browser(behindProxy, { origin: 'https://shop.example', 'x-forwarded-for': `6.6.6.6, ${address}` });
    for (let count = 0; count < 50; count++) await from('192.0.2.1').signIn(`guess${count}@example.test`);
    expect((await from('192.0.2.1').signIn(email)).status).toBe(429);
    expect((await from('192.0.2.2').signIn(email)).status).toBe(204);
  });
});
