import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../../test/certificates.ts';
import { startServiceWithMail } from '../../../test/mail.ts';
import { signedInMember } from '../../../test/member.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { mailAboutFailing } from './endpoint-mails.ts';

describe.runIf(hasOpenssl)('an endpoint that fails', async () => {
  const { server, service, mailer } = await startServiceWithMail({
    PUBLIC_URL: 'https://shop.example.com',
    WEBHOOK_ALLOW_INTERNAL: 'true',
    WEBHOOK_RETRY_DELAYS: '1h,1h,1h,1h,1h,1h,1h,1h',
    WEBHOOK_DISABLE_AFTER: '7h',
    WEBHOOK_DISABLE_FAILURES: '3',
  });
  const hooks = webhooksOf(service);
  const dispatcher = hooks.dispatcher();

  test('is mailed about after six hours and when it is switched off, once each', async () => {
    const { owner, storeId, store } = await signedInOwner(service);
    const { account: viewer } = await signedInMember(service, storeId, 'viewer');
    const endpoint = await hooks.endpoint('http://127.0.0.1:1/hook?token=hidden', { storeId });
    await hooks.record(storeId);
    const subjects = [];
    for (let hour = 0; hour <= 9; hour++) {
      await dispatcher.idle();
      await Promise.all([mailAboutFailing(service.services), mailAboutFailing(service.services)]);
      await mailer.idle();
      subjects.push(server.to(owner.email).map(({ subject }) => subject).length);
      service.clock.now += HOUR + MINUTE;
    }
    expect(subjects).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 2, 2]);
    const [failing, disabled] = server.to(owner.email);
    expect(failing?.subject).toBe(`${store.name}: a webhook endpoint is failing`);
    expect(disabled?.subject).toBe(`${store.name}: a webhook endpoint was switched off`);
    for (const mail of [failing, disabled]) {
      expect(mail?.text).toContain('http://127.0.0.1:1/hook ');
      expect(mail?.raw).not.toContain('hidden');
      expect(mail?.text).toContain(
        `https://shop.example.com/console/stores/${storeId}/settings/webhooks/${endpoint.id}`,
      );
    }
    expect(server.to(viewer.email)).toEqual([]);
    await dispatcher.close();
  });
});
