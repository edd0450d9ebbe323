import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { HOUR } from '../time/duration.ts';

describe.runIf(hasOpenssl)('an invitation by mail', async () => {
  const { server, service, mailer } = await startServiceWithMail();
  const linkIn = (text: string) => /https?:\S+/.exec(text)?.[0] ?? '';

  test('carries the only copy of the link, which works', async () => {
    const { visitor, path, store, storeId } = await signedInOwner(service);
    await visitor.patch('/profile', { language: 'ru' });
    const email = 'guest@example.com';
    const { status, body } = await visitor.post(`${path}/invitations`, { email, role: 'manager' });
    expect([status, body.link]).toEqual([201, null]);
    await mailer.idle();
    const [mail, ...more] = server.to(email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Приглашение в магазин «${store.name}»`);
    expect(mail?.text).toContain('Owner приглашает вас');
    const [address, token] = linkIn(mail?.text ?? '').split('#');
    expect(address).toBe(`${service.url}/console/invitation`);
    const joined = await browser(service).post('/invitation/account', {
      token,
      name: 'Boris',
      password: 'long enough',
    });
    expect(joined.body).toEqual({ storeId });
  });

  test('renewed is mailed again, and only the new link works', async () => {
    const { visitor, path } = await signedInOwner(service);
    const email = 'renewed@example.com';
    const { body } = await visitor.post(`${path}/invitations`, { email, role: 'viewer' });
    service.clock.now += 1000;
    const renewed = await visitor.post(`${path}/invitations/${body.team.invitations[0].id}/renew`);
    expect(renewed.body.link).toBeNull();
    await mailer.idle();
    const opened = [];
    for (const { text } of server.to(email))
      opened.push((await browser(service).post('/invitation', { token: linkIn(text).split('#')[1] })).status);
    expect(opened).toEqual([404, 200]);
  });

  test('refused is not mailed', async () => {
    const { visitor, path, owner } = await signedInOwner(service);
    const { status } = await visitor.post(`${path}/invitations`, { email: owner.email, role: 'viewer' });
    expect(status).toBe(422);
    await mailer.idle();
    expect(server.to(owner.email)).toEqual([]);
  });

  test('to an address that cannot be mailed to shows the link', async () => {
    const { visitor, path } = await signedInOwner(service);
    const { body } = await visitor.post(`${path}/invitations`, { email: 'a,b<c>@example.com', role: 'viewer' });
    expect(body.link).toContain('/console/invitation#');
  });

  test('is mailed 20 times an hour for a store and 5 times to one address; then the link is shown', async () => {
    const { visitor, path, storeId } = await signedInOwner(service);
    const isMailed = async (email: string) => {
      service.clock.now += 1000;
      return (await visitor.post(`${path}/invitations`, { email, role: 'viewer' })).body.link === null;
    };
    const same = [];
    for (let count = 0; count < 6; count++) same.push(await isMailed(`same+${count}@example.com`));
    expect(same).toEqual([true, true, true, true, true, false]);
    const others = await Promise.all(Array.from({ length: 30 }, (_, index) => isMailed(`many${index}@example.com`)));
    expect(others.filter(Boolean)).toHaveLength(15);
    service.clock.now += HOUR;
    await visitor.verify();
    expect(await isMailed('later@example.com')).toBe(true);
    const { count = 0 } =
      (await service.db.one<{ count: number }>(sql`select count(*) as count from mails where store_id = ${storeId}`)) ??
      {};
    expect(count).toBe(21);
  });
});
