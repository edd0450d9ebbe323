import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { setupPath, setupToken } from './setup.ts';

const details = { email: 'first@example.test', name: 'First', password: 'correct horse' };

test('the printed token creates the first owner only', async () => {
  const service = await startService();
  const token = setupToken(service.services);
  expect(setupPath(service.services)).toBe(`/console/setup#${token}`);
  const visitor = browser(service);
  expect((await visitor.get('/session')).body).toEqual({ setupNeeded: true, account: null, mailEnabled: false });

  for (const wrong of ['x', token.slice(1), `${token.slice(1)}x`, `${token}x`]) {
    const reply = await visitor.post('/setup', { token: wrong, ...details });
    expect([reply.status, reply.body.code]).toEqual([403, 'wrong_setup_token']);
  }
  expect((await visitor.post('/setup', { token, ...details, password: 'short' })).status).toBe(422);
  expect((await visitor.get('/session')).body.setupNeeded).toBe(true);

  expect((await visitor.post('/setup', { token, ...details })).status).toBe(204);
  const { body } = await visitor.get('/session');
  expect(body).toMatchObject({ setupNeeded: false, account: { email: 'first@example.test', name: 'First' } });

  const late = browser(service);
  const rejected = await late.post('/setup', { token, ...details, email: 'second@example.test' });
  expect([rejected.status, rejected.body.code]).toEqual([403, 'wrong_setup_token']);
  expect((await late.get('/session')).body).toEqual({ setupNeeded: false, account: null, mailEnabled: false });
  expect((await late.signIn('first@example.test')).status).toBe(204);
});

test('of many concurrent requests, one creates the owner', async () => {
  const service = await startService();
  const token = setupToken(service.services);
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      browser(service).post('/setup', { token, ...details, email: `owner${index}@example.test` }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403, 403, 403]);
});

test('a link created with an older key works while that key is listed', async () => {
  const service = await startService({ env: { SECRET_KEY: 'the newest of these keys,an older one of them' } });
  const older = { config: { ...service.config, SECRET_KEY: ['an older one of them'] as const } };
  expect(setupToken(older)).not.toBe(setupToken(service.services));
  expect((await browser(service).post('/setup', { token: setupToken(older), ...details })).status).toBe(204);
});
