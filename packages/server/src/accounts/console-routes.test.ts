import { beforeEach, describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { DAY } from '../time/duration.ts';
import { resetPassword } from './owners.ts';

const service = await startService();
beforeEach(() => {
  service.clock.now += DAY;
});

async function twoBrowsers() {
  const owner = await service.owner();
  const here = browser(service, { origin: service.url, 'user-agent': 'Here/1' });
  const there = browser(service, { origin: service.url, 'user-agent': 'There/1' });
  await here.signIn(owner.email);
  service.clock.now += 1000;
  await there.signIn(owner.email);
  return { owner, here, there };
}

test('the profile: name and language', async () => {
  const { owner, here } = await twoBrowsers();
  const changed = await here.patch('/profile', { language: 'ru', name: ' Анна ' });
  expect(changed.body).toEqual({
    id: owner.id,
    email: owner.email,
    name: 'Анна',
    language: 'ru',
    mayCreateStores: true,
  });
  expect((await here.get('/session')).body.account).toEqual(changed.body);
  expect((await here.patch('/profile', { language: 'en' })).body.name).toBe('Анна');
  for (const wrong of [{}, { language: 'xx' }, { name: ' ' }, { email: 'new@example.test' }])
    expect((await here.patch('/profile', wrong)).status).toBe(422);
});

describe('sessions', () => {
  test('are listed, latest first, with the current one marked', async () => {
    const { here } = await twoBrowsers();
    const { body } = await here.get('/sessions');
    expect(body.map(({ userAgent, isCurrent }: any) => [userAgent, isCurrent])).toEqual([
      ['There/1', false],
      ['Here/1', true],
    ]);
    expect(body[0].lastSeenAt).toBe(new Date(service.clock.now).toISOString());
  });

  test('can be ended one by one, but only by their owner', async () => {
    const { here, there } = await twoBrowsers();
    const other = await twoBrowsers();
    const [listed] = (await here.get('/sessions')).body;
    expect((await other.here.delete(`/sessions/${listed.id}`)).status).toBe(404);
    expect((await there.get('/stores')).status).toBe(200);
    expect((await here.delete(`/sessions/${listed.id}`)).status).toBe(204);
    expect((await there.get('/stores')).status).toBe(401);
    expect((await here.delete(`/sessions/${listed.id}`)).status).toBe(404);
  });

  test('signing out everywhere else keeps this session', async () => {
    const { here, there } = await twoBrowsers();
    expect((await here.delete('/sessions/others')).status).toBe(204);
    expect((await there.get('/stores')).status).toBe(401);
    expect((await here.get('/stores')).status).toBe(200);
  });

  test('signing out everywhere ends this session too, but not those of other owners', async () => {
    const { here, there } = await twoBrowsers();
    const other = await twoBrowsers();
    expect((await here.delete('/sessions')).status).toBe(204);
    expect(here.jar.has('session')).toBe(false);
    expect((await there.get('/stores')).status).toBe(401);
    expect((await other.here.get('/stores')).status).toBe(200);
  });
});

describe('changing the password', () => {
  test('requires the current one, and ends the other sessions', async () => {
    const { owner, here, there } = await twoBrowsers();
    const wrong = await here.put('/password', { current: 'wrong horse', password: 'battery staple' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password']);
    expect((await there.get('/stores')).status).toBe(200);
    expect((await here.put('/password', { current: 'correct horse', password: 'short' })).status).toBe(422);

    expect((await here.put('/password', { current: 'correct horse', password: 'battery staple' })).status).toBe(204);
    expect((await here.get('/stores')).status).toBe(200);
    expect((await there.get('/stores')).status).toBe(401);
    expect((await browser(service).signIn(owner.email, 'correct horse')).status).toBe(401);
    expect((await browser(service).signIn(owner.email, 'battery staple')).status).toBe(204);
  });

  test('is rate-limited against guessing', async () => {
    const { here } = await twoBrowsers();
    const guess = () => here.put('/password', { current: 'wrong horse', password: 'battery staple' });
    for (let count = 0; count < 5; count++) expect((await guess()).status).toBe(403);
    const rejected = await guess();
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5']);
  });

  test('is not blocked by failed sign-ins or by failures of another session', async () => {
    const { owner, here, there } = await twoBrowsers();
    const other = browser(service);
    for (let count = 0; count < 6; count++) await other.signIn(owner.email, 'wrong horse');
    expect((await other.signIn(owner.email)).status).toBe(429);
    const guess = () => there.put('/password', { current: 'wrong horse', password: 'battery staple' });
    for (let count = 0; count < 5; count++) await guess();
    expect((await guess()).status).toBe(429);
    expect((await here.put('/password', { current: 'correct horse', password: 'battery staple' })).status).toBe(204);
  });
});

describe('a password that changes while it is being checked', () => {
  const liveSessions = async (ownerId: string) =>
    service.db.all(sql`select token_hash from sessions where owner_id = ${ownerId}`);

  test('a sign-in with the old one that started earlier opens no session', async () => {
    const { owner, here } = await twoBrowsers();
    const visitors = Array.from({ length: 4 }, () => browser(service));
    const changing = here.put('/password', { current: 'correct horse', password: 'battery staple' });
    const signIns = visitors.map((visitor) => visitor.signIn(owner.email));
    expect((await changing).status).toBe(204);
    await Promise.all(signIns);
    for (const visitor of visitors) expect((await visitor.get('/stores')).status).toBe(401);
    expect(await liveSessions(owner.id)).toHaveLength(1);
  });

  test('nor does one that started before a reset from the command line', async () => {
    const owner = await service.owner();
    const visitors = Array.from({ length: 4 }, () => browser(service));
    const signIns = visitors.map((visitor) => visitor.signIn(owner.email));
    await resetPassword(service.db, owner.email, 'battery staple', service.clock.now);
    await Promise.all(signIns);
    expect(await liveSessions(owner.id)).toHaveLength(0);
  });

  test('of two concurrent changes one succeeds', async () => {
    const { owner, here, there } = await twoBrowsers();
    const replies = await Promise.all([
      here.put('/password', { current: 'correct horse', password: 'battery staple' }),
      there.put('/password', { current: 'correct horse', password: 'another staple' }),
    ]);
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    const [valid, invalid] =
      replies[0].status === 204 ? ['battery staple', 'another staple'] : ['another staple', 'battery staple'];
    expect((await browser(service).signIn(owner.email, invalid)).status).toBe(401);
    expect((await browser(service).signIn(owner.email, valid)).status).toBe(204);
  });
});
