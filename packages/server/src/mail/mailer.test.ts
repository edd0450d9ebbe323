import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../test/certificates.ts';
import { mailerFor, startMailServer, startServiceWithMail } from '../../test/mail.ts';
import { SMTP_PASSWORD } from '../../test/mail-server.ts';
import { maintain } from '../../test/maintain.ts';
import { type Service, startService } from '../../test/service.ts';
import { rotateSecrets } from '../db/installation/secret-keys.ts';
import { sql } from '../db/sql.ts';
import { DAY, HOUR, MINUTE } from '../time/duration.ts';
import { createMailer } from './mailer.ts';
import { mailMetrics } from './metrics.ts';
import { mailOutbox, type NewMail, NO_STORE } from './outbox.ts';
import { startMailer } from './start-mailer.ts';

type Row = { id: string; state: string; attempts: number; error: string | null; params: string; secret: string | null };

const mailsOf = (service: Service, storeId: string) =>
  service.db.all<Row>(sql`select id, state, attempts, error, params, secret from mails where store_id = ${storeId}`);

function add(service: Service, storeId: string, to: string, more: Partial<NewMail<'endpoint_disabled'>> = {}) {
  const outbox = mailOutbox(service.config);
  return service.db.transaction(async (tx) =>
    outbox?.add(
      tx,
      {
        storeId,
        to,
        language: 'en',
        kind: 'endpoint_disabled',
        params: { store: 'Tea', url: 'https://example.com/hooks' },
        link: 'https://shop.example.com/console',
        ...more,
      },
      service.clock.now,
    ),
  );
}

describe.runIf(hasOpenssl)('the mailer', async () => {
  const { server, service, mailer } = await startServiceWithMail();

  test('sends a mail once, over TLS, with text and HTML, and erases its content', async () => {
    const { id: storeId } = await service.store();
    await add(service, storeId, 'anna@example.com', { link: 'https://shop.example.com/console?a=1&b=2' });
    const [waiting] = await mailsOf(service, storeId);
    expect(waiting?.secret).not.toContain('shop.example.com');
    await mailer.idle();
    await mailer.idle();
    const [mail, ...more] = server.to('anna@example.com');
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      from: 'shop@example.com',
      recipients: ['anna@example.com'],
      isEncrypted: true,
      subject: 'Tea: a webhook endpoint was switched off',
      messageId: `<${waiting?.id}@example.com>`,
    });
    expect(mail?.headers).toMatchObject({
      from: ['Tea House <shop@example.com>'],
      to: ['anna@example.com'],
      'auto-submitted': ['auto-generated'],
    });
    expect(mail?.text).toContain('Open the endpoint:\nhttps://shop.example.com/console?a=1&b=2');
    expect(mail?.html).toContain('<a href="https://shop.example.com/console?a=1&amp;b=2"');
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'sent', attempts: 1, params: '{}', secret: null }]);
  });

  test('sends nothing for a change that was rolled back', async () => {
    const { id: storeId } = await service.store();
    const outbox = mailOutbox(service.config);
    const failing = service.db.transaction(async (tx) => {
      await outbox?.add(
        tx,
        { storeId, to: 'nobody@example.com', language: 'en', kind: 'test', params: {}, link: '' },
        service.clock.now,
      );
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await mailer.idle();
    expect(server.to('nobody@example.com')).toEqual([]);
  });

  test('sends again with the same Message-ID after a crash between sending and recording', async () => {
    const { id: storeId } = await service.store();
    await add(service, storeId, 'crash@example.com');
    const crashing = createMailer(service.services, { ca: server.ca });
    // Killed: the outcome is never recorded.
    await new Promise<void>((resolve, reject) => {
      crashing.onMailFinished(resolve);
      crashing.cycle().catch(reject);
    });
    await mailer.idle();
    expect(server.to('crash@example.com')).toHaveLength(1);
    service.clock.now += 3 * MINUTE;
    await mailer.idle();
    const [first, second, ...more] = server.to('crash@example.com');
    expect(second?.messageId).toBe(first?.messageId);
    expect(more).toEqual([]);
    // The first mailer comes back and does not disturb.
    await crashing.close(0);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'sent' }]);
  });

  test('two mailers send each mail once', async () => {
    const { id: storeId } = await service.store();
    const addresses = Array.from({ length: 12 }, (_, index) => `two${index}@example.com`);
    for (const address of addresses) await add(service, storeId, address);
    const other = mailerFor(service, server);
    await Promise.all([mailer.idle(), other.idle()]);
    for (const address of addresses) expect(server.to(address)).toHaveLength(1);
  });

  test('gives up at once when the server rejects the recipient, and logs no address', async () => {
    const { id: storeId } = await service.store();
    server.behavior.rejectRecipient = 550;
    await add(service, storeId, 'gone@example.com');
    service.lines.length = 0;
    await mailer.idle();
    server.behavior.rejectRecipient = undefined;
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'dead', attempts: 1, error: 'smtp_550' }]);
    const log = service.lines.join('\n');
    expect(log).toContain('mail could not be sent');
    expect(log).not.toContain('gone@example.com');
    expect(log).not.toContain(SMTP_PASSWORD);
  });

  test('retries for more than a day when the server says "later", then gives up', async () => {
    const { id: storeId } = await service.store();
    server.behavior.rejectRecipient = 451;
    await add(service, storeId, 'later@example.com');
    const begin = service.clock.now;
    for (let state = 'waiting'; state === 'waiting'; ) {
      await mailer.idle();
      state = (await mailsOf(service, storeId))[0]?.state ?? '';
      if (state === 'waiting') service.clock.now += 10 * MINUTE;
    }
    server.behavior.rejectRecipient = undefined;
    expect(service.clock.now - begin).toBeGreaterThan(DAY);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'dead', attempts: 10, error: 'smtp_451' }]);
  });

  test('does not send a mail whose link has expired, and erases the link', async () => {
    const { id: storeId } = await service.store();
    await add(service, storeId, 'late@example.com', { expiresAt: service.clock.now + HOUR });
    service.clock.now += HOUR;
    await mailer.idle();
    expect(server.to('late@example.com')).toEqual([]);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'dead', error: 'expired', secret: null }]);
  });

  test('serves a store with one mail before the backlog of another, and an account before both', async () => {
    const [busy, quiet] = [await service.store(), await service.store()];
    for (let index = 0; index < 30; index++) await add(service, busy.id, `busy${index}@example.com`);
    await add(service, quiet.id, 'quiet@example.com');
    await add(service, NO_STORE, 'account@example.com');
    const before = server.mails.length;
    await mailer.idle();
    const order = server.mails.slice(before).map(({ recipients }) => recipients[0]);
    expect(order).toHaveLength(32);
    expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['quiet@example.com', 'account@example.com']));
  });

  test('counts outcomes, waiting and dead mails', async () => {
    const observe = mailMetrics(service.services);
    for (const outcome of ['sent', 'sent', 'failed', 'dead'] as const) observe(outcome);
    const { id: storeId } = await service.store();
    await add(service, storeId, 'waiting@example.com');
    const text = await service.services.registry.metrics();
    expect(text).toContain('store_sales_mail_attempts_total{outcome="sent"} 2');
    expect(text).toMatch(/store_sales_mails_waiting 1\n/);
    expect(text).toMatch(/store_sales_mails_dead \d/);
    await mailer.idle();
  });

  test('forgets sent mails after a day and dead ones after a month', async () => {
    const count = async () =>
      (await service.db.all<{ state: string }>(sql`select distinct state from mails order by state`)).map(
        ({ state }) => state,
      );
    expect(await count()).toEqual(['dead', 'sent']);
    service.clock.now += DAY + 1;
    await maintain(service.services);
    expect(await count()).toEqual(['dead']);
    service.clock.now += 30 * DAY;
    await maintain(service.services);
    expect(await count()).toEqual([]);
  });

  test('encrypts waiting links with the newest key', async () => {
    const { id: storeId } = await service.store();
    await add(service, storeId, 'rotated@example.com', { link: 'https://shop.example.com/old-key' });
    const keys = ['another key of the tests, 32 chars', ...service.config.SECRET_KEY] as const;
    expect((await rotateSecrets(service.db, keys, service.clock.now)).rotated).toBe(1);
    const config = { ...service.config, SECRET_KEY: keys };
    const rotated = createMailer({ ...service.services, config }, { ca: server.ca });
    await rotated.idle();
    await rotated.close(1000);
    expect(server.to('rotated@example.com')[0]?.text).toContain('https://shop.example.com/old-key');
  });
});

describe.runIf(hasOpenssl)('the connection', () => {
  test('loses nothing while the server is away for an hour', async () => {
    const { server, service, mailer } = await startServiceWithMail();
    const { id: storeId } = await service.store();
    await server.stop();
    const addresses = Array.from({ length: 8 }, (_, index) => `away${index}@example.com`);
    for (const address of addresses) await add(service, storeId, address);
    for (let minute = 0; minute < 60; minute++) {
      await mailer.idle();
      service.clock.now += MINUTE;
    }
    expect((await mailsOf(service, storeId)).every(({ state }) => state === 'waiting')).toBe(true);
    const back = await startMailServer({ port: server.port });
    const later = mailerFor(service, back);
    for (let minute = 0; minute < 70; minute++) {
      await later.idle();
      service.clock.now += MINUTE;
    }
    for (const address of addresses) expect(back.to(address)).toHaveLength(1);
  });

  test('is upgraded with STARTTLS before the password is sent', async () => {
    const server = await startMailServer({ isSecure: false });
    const service = await startService({ env: server.env });
    const { id: storeId } = await service.store();
    await add(service, storeId, 'starttls@example.com');
    await mailerFor(service, server).idle();
    expect(server.to('starttls@example.com')).toMatchObject([{ isEncrypted: true }]);
  });

  test('is refused if nobody vouches for the certificate, or the password is wrong', async () => {
    const server = await startMailServer();
    const service = await startService({ env: server.env });
    const { id: storeId } = await service.store();
    await add(service, storeId, 'untrusted@example.com');
    const untrusting = createMailer(service.services);
    await untrusting.idle();
    await untrusting.close(0);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    service.clock.now += HOUR;
    const config = { ...service.config, SMTP_URL: { ...service.config.SMTP_URL, password: 'wrong' } } as never;
    const wrong = createMailer({ ...service.services, config }, { ca: server.ca });
    await wrong.idle();
    await wrong.close(0);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'waiting', attempts: 2, error: 'smtp_535' }]);
    expect(server.mails).toEqual([]);
  });

  test('that hangs ends in time', async () => {
    const server = await startMailServer();
    const service = await startService({ env: server.env });
    const { id: storeId } = await service.store();
    await add(service, storeId, 'hangs@example.com');
    server.behavior.beforeConfirm = () => new Promise((resolve) => setTimeout(resolve, 2000));
    const mailer = createMailer(service.services, { ca: server.ca, timeoutMs: 200 });
    await mailer.idle();
    await mailer.close(0);
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'waiting', error: 'etimedout' }]);
  });

  test('a started mailer sends what is added, and finishes when it is stopped', async () => {
    const server = await startMailServer();
    const service = await startService({ env: server.env });
    const { id: storeId } = await service.store();
    const running = startMailer(service.services, { ca: server.ca });
    server.behavior.beforeConfirm = () => new Promise((resolve) => setTimeout(resolve, 50));
    await add(service, storeId, 'started@example.com');
    await expect.poll(() => server.mails.length).toBe(1);
    await running.stop();
    expect(await mailsOf(service, storeId)).toMatchObject([{ state: 'sent' }]);
  });
});
