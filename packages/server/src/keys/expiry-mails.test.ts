import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import { signedInMember } from '../../test/member.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { DAY } from '../time/duration.ts';
import { mailAboutExpiry } from './expiry-mails.ts';
import { createKey, revokeKey } from './keys.ts';

describe.runIf(hasOpenssl)('a key that expires', async () => {
  const { server, service, mailer } = await startServiceWithMail({ PUBLIC_URL: 'https://shop.example.com' });

  const key = (storeId: string, name: string, days: number) =>
    createKey(service.db, { storeId, name, rights: ['orders:read'], life: days * DAY }, service.clock.now);

  async function deliver() {
    await Promise.all([mailAboutExpiry(service.services), mailAboutExpiry(service.services)]);
    await mailer.idle();
  }

  test('is mailed about 14 and 3 days before, once each, to owners and integrators', async () => {
    const { owner, storeId, store } = await signedInOwner(service);
    const { account: integrator } = await signedInMember(service, storeId, 'integrator');
    const { account: manager } = await signedInMember(service, storeId, 'manager');
    await key(storeId, 'Site', 30);
    await key(storeId, 'Warehouse', 30);
    const revoked = await key(storeId, 'Revoked', 30);
    await revokeKey(service.db, revoked.key.id, service.clock.now);
    await key(storeId, 'Later', 90);
    await key(storeId, 'Short', 17);
    await key(storeId, 'Brief', 2);
    const received = () => [owner, integrator, manager].map(({ email }) => server.to(email).length);
    for (const [days, expected] of [
      [1, 0],
      [12, 1],
      [3, 2],
      [10, 2],
      [1, 3],
    ] as const) {
      service.clock.now += days * DAY;
      await deliver();
      await deliver();
      expect(received()).toEqual([expected, expected, 0]);
    }
    const texts = server.to(owner.email).map(({ text }) => text.match(/^- \w+/gm));
    expect(texts).toEqual([['- Short'], ['- Short', '- Site', '- Warehouse'], ['- Site', '- Warehouse']]);
    expect(server.to(owner.email)[0]?.subject).toBe(`${store.name}: API keys expire soon`);
  });
});
