import { beforeEach, describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { hasOpenssl } from '../../test/certificates.ts';
import { mailerFor, startMailServer } from '../../test/mail.ts';
import { type Reads, startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import { resetPassword } from './owners.ts';

const PASSWORD = 'a new password';

test('without mail there is nothing to ask for', async () => {
  const service = await startService();
  const guest = browser(service);
  expect((await guest.get('/session')).body.mailEnabled).toBe(false);
  expect((await guest.post('/forgotten-password', { email: 'a@example.com' })).status).toBe(404);
});

describe.runIf(hasOpenssl)('a forgotten password', async () => {
  const server = await startMailServer();
  const reads: Reads = {};
  const service = await startService({ env: { ...server.env, TRUST_PROXY: '1' }, reads });
  const mailer = mailerFor(service, server);
  let network = 0;
  let guest = browser(service);
  beforeEach(() => {
    service.clock.now += HOUR;
    guest = browser(service, { origin: service.url, 'x-forwarded-for': `198.51.100.${++network}` });
  });

  const countMails = async () => (await service.db.all(sql`select id from mails where kind = 'password_reset'`)).length;

  /** Asks for a link and returns its token. */
  async function tokenFor(email: string, typed = email) {
    const before = server.to(email).length;
    const { status } = await guest.post('/forgotten-password', { email: typed });
    expect(status).toBe(204);
    await expect
      .poll(
        async () => {
          await mailer.idle();
          return server.to(email).length;
        },
        { timeout: 5000 },
      )
      .toBe(before + 1);
    const [, token = ''] = /\/console\/reset-password#(\S+)/.exec(server.to(email).at(-1)?.text ?? '') ?? [];
    expect(token).not.toBe('');
    return token;
  }

  const reset = (token: string, password = PASSWORD) => guest.post('/password-reset', { token, password });

  test('is replaced with a link that works once and ends all sessions', async () => {
    const { owner, visitor, path } = await signedInOwner(service);
    expect((await guest.get('/session')).body.mailEnabled).toBe(true);
    const token = await tokenFor(owner.email, ` ${owner.email.toUpperCase()} `);
    const rows = await service.db.all<{ token_hash: string }>(sql`select token_hash from password_resets`);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
    expect((await reset(token)).status).toBe(204);
    expect((await visitor.get('/stores')).status).toBe(401);
    expect((await browser(service).signIn(owner.email)).status).toBe(401);
    service.clock.now += MINUTE;
    expect((await visitor.signIn(owner.email, PASSWORD)).status).toBe(204);
    const { entries } = (await visitor.get(`${path}/history?kind=account`)).body;
    expect(entries.map(({ action }: { action: string }) => action)).toContain('password_reset');
    const again = await reset(token, 'another password');
    expect([again.status, again.body.code]).toEqual([404, 'reset_link_invalid']);
  });

  test('is not replaced with a link that expired, was altered, or was replaced', async () => {
    const { owner } = await signedInOwner(service);
    const other = await signedInOwner(service);
    const [first, second] = [await tokenFor(owner.email), await tokenFor(owner.email)];
    const [, secret = ''] = second.split('.');
    const altered = `${second.slice(0, -1)}${second.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [first, altered, `${other.owner.id}.${secret}`, secret, owner.id, `${owner.id}.`, '.', 'x'])
      expect((await reset(wrong)).body.code).toBe('reset_link_invalid');
    service.clock.now += HOUR - 1;
    expect((await reset(second, 'short')).status).toBe(422);
    service.clock.now += 1;
    expect((await reset(second)).body.code).toBe('reset_link_invalid');
  });

  test('is replaced by one of two concurrent clicks', async () => {
    const { owner } = await signedInOwner(service);
    const token = await tokenFor(owner.email);
    const replies = await Promise.all(['first password', 'second password'].map((password) => reset(token, password)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404]);
    const winner = replies[0]?.status === 204 ? 'first password' : 'second password';
    expect((await browser(service).signIn(owner.email, winner)).status).toBe(204);
  });

  test('changed or set by the operator meanwhile makes the link useless', async () => {
    const { owner, visitor } = await signedInOwner(service);
    const first = await tokenFor(owner.email);
    const changed = await visitor.put('/password', { current: 'correct horse', password: PASSWORD });
    expect(changed.status).toBe(204);
    expect((await reset(first)).body.code).toBe('reset_link_invalid');
    const second = await tokenFor(owner.email);
    await resetPassword(service.db, owner.email, 'by the operator', service.clock.now);
    expect((await reset(second)).body.code).toBe('reset_link_invalid');
  });

  test('gets the same response for an unknown address, before any work is done', async () => {
    const { owner } = await signedInOwner(service);
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    reads.after = () => blocked;
    reads.beforeTransaction = () => blocked;
    const before = await countMails();
    const replies = [];
    for (const email of [owner.email, 'nobody@example.com', 'not an address'])
      replies.push(await guest.post('/forgotten-password', { email }));
    const shown = replies.map(({ status, text, headers }) => {
      const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(headers);
      return { status, text, rest };
    });
    expect(shown[0]?.status).toBe(204);
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    expect(await countMails()).toBe(before);
    reads.after = undefined;
    reads.beforeTransaction = undefined;
    release();
    await expect.poll(countMails, { timeout: 5000 }).toBe(before + 1);
    await mailer.idle();
    expect(server.to('nobody@example.com')).toEqual([]);
  });

  test('floods no mailbox, and the last mailed link stays valid', async () => {
    const { owner } = await signedInOwner(service);
    const { email } = owner;
    await tokenFor(email);
    await tokenFor(email);
    const token = await tokenFor(email);
    const before = await countMails();
    // Each from its own network.
    for (let count = 0; count < 20; count++) {
      guest = browser(service, { origin: service.url, 'x-forwarded-for': `203.0.113.${count}` });
      expect((await guest.post('/forgotten-password', { email })).status).toBe(204);
    }
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await countMails()).toBe(before);
    expect((await reset(token)).status).toBe(204);
  });

  test('cannot be asked for without end from one network', async () => {
    const statuses = [];
    for (let count = 0; count < 12; count++)
      statuses.push((await guest.post('/forgotten-password', { email: `n${count}@example.com` })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(204));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});
