import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { disableShop } from './shops.ts';

const service = await startService();

test('an owner opens the page, and chooses what it offers', async () => {
  const { visitor, path, storeId } = await signedInOwner(service, 'basic');
  const { body: blank } = await visitor.get(`${path}/shop`);
  expect(blank).toMatchObject({ slug: '', isEnabled: false, smallestOrder: 0 });
  expect(blank.delivery.every(({ isOffered }: { isOffered: boolean }) => isOffered)).toBe(true);
  const [pickup] = blank.delivery;
  const settings = {
    slug: 'teas',
    isEnabled: true,
    isInFeeds: true,
    title: '<Teas>',
    about: 'Fresh',
    contacts: 'Call us',
    language: 'ru',
    accent: '#087f5b',
    smallestOrder: 100,
    delivery: [{ typeId: pickup.typeId, cost: 5000 }],
    payments: [],
  };
  // History is sorted by time.
  service.clock.now += 1000;
  const saved = await visitor.put(`${path}/shop`, settings);
  expect([saved.status, saved.body.url]).toEqual([200, `${service.url}/shop`]);
  expect(saved.body.delivery.filter(({ isOffered }: { isOffered: boolean }) => isOffered)).toMatchObject([
    { typeId: pickup.typeId, cost: 5000 },
  ]);
  expect((await visitor.get(`${path}/shop`)).body).toEqual(saved.body);
  const page = await (await fetch(`${service.url}/shop/teas`)).text();
  expect(page).toContain('<html lang="ru">');
  expect(page).toContain('&lt;Teas&gt;');
  expect(await (await fetch(`${service.url}/shop/teas/style.css`)).text()).toContain('--accent: #087f5b');
  const { entries } = (await visitor.get(`${path}/history`)).body;
  expect(entries[0]).toMatchObject({
    action: 'changed',
    details: { orderPage: ['', 'teas'], orderPageFeeds: [false, true] },
  });

  service.clock.now += 1000;
  await disableShop(service.db, storeId, service.clock.now);
  expect((await visitor.get(`${path}/history`)).body.entries[0]).toMatchObject({
    actor: { kind: 'system' },
    details: { orderPageEnabled: [true, false] },
  });

  const rejected = async (change: object) => {
    const { status, body } = await visitor.put(`${path}/shop`, { ...settings, ...change });
    return [status, body.errors?.[0]?.pointer ?? body.code];
  };
  expect(await rejected({ accent: '#ffff00' })).toEqual([422, '/accent']);
  expect(await rejected({ accent: 'red;}' })).toEqual([422, '/accent']);
  expect(await rejected({ slug: 'Te' })).toEqual([422, '/slug']);
  expect(await rejected({ payments: [pickup.typeId] })).toEqual([422, '/payments/0']);
  expect(await rejected({ delivery: [{ typeId: service.clock.now.toString(), cost: 1 }] })).toEqual([
    422,
    '/delivery/0/typeId',
  ]);
  const neighbour = await signedInOwner(service);
  const taken = await neighbour.visitor.put(`${neighbour.path}/shop`, { ...settings, delivery: [] });
  expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
});

test('settings are not saved over a version that was not read', async () => {
  const { visitor, path, storeId } = await signedInOwner(service, 'basic');
  const { etag, url: _url, ...read } = (await visitor.get(`${path}/shop`)).body;
  const settings = { ...read, slug: 'two-people', isEnabled: true, delivery: [], payments: [] };
  const save = (change: object, version: string) =>
    visitor.put(`${path}/shop`, { ...settings, ...change }, { 'if-match': version });

  const opened = await save({}, etag);
  expect([opened.status, opened.body.isEnabled]).toEqual([200, true]);
  expect((await visitor.get(`${path}/shop`)).body.etag).toBe(opened.body.etag);
  await disableShop(service.db, storeId, service.clock.now);
  const late = await save({ title: 'Teas' }, opened.body.etag);
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  const closed = (await visitor.get(`${path}/shop`)).body;
  expect(closed).toMatchObject({ isEnabled: false, title: '' });

  const saves = ['One', 'Two', 'Three'].map((title) => save({ title }, closed.etag));
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 412, 412]);
  // A client that sends no version replaces the settings.
  expect((await visitor.put(`${path}/shop`, settings)).status).toBe(200);
});
