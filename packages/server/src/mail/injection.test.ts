import { describe, expect, test } from 'vitest';
import { hasOpenssl } from '../../test/certificates.ts';
import { startServiceWithMail } from '../../test/mail.ts';
import type { Language, MailKind, MailParams } from './kinds.ts';
import { mailAddress } from './mail-address.ts';
import { mailOutbox } from './outbox.ts';

/** What someone could type into a name: headers, recipients, markup, ends of lines of every kind. */
const HOSTILE =
  'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script><img src=x onerror=alert(1)>"\'&\u2028Cc: a@b.example\u202e\0\n.\r\nQUIT =?UTF-8?Q?a=0ABcc:_c@d.example?=';

const paramsOf: { [Kind in MailKind]: MailParams[Kind] } = {
  invitation: { store: HOSTILE, inviter: HOSTILE, role: 'viewer' },
  password_reset: {},
  endpoint_failing: { store: HOSTILE, url: HOSTILE, since: 0, timezone: 'Europe/Moscow' },
  endpoint_disabled: { store: HOSTILE, url: HOSTILE },
  keys_expiring: { store: HOSTILE, timezone: 'Europe/Moscow', keys: [{ name: HOSTILE, expiresAt: 0 }], more: 2 },
  new_orders: {
    store: HOSTILE,
    currency: 'RUB',
    orders: [{ number: 1, customer: HOSTILE, total: 12_345 }],
    more: 0,
  },
  shop_order: {
    shop: HOSTILE,
    number: 7,
    currency: 'EUR',
    lines: [{ name: HOSTILE, quantity: 2, total: 500 }],
    more: 1,
    total: 500,
  },
  order_status: {
    store: HOSTILE,
    number: 7,
    paragraphs: [HOSTILE],
    trackingNumber: HOSTILE,
    trackingUrl: 'https://t.example/?id="><script>',
    replyTo: '',
  },
  order_message: { store: HOSTILE, number: 7, paragraphs: [HOSTILE], trackingNumber: '', trackingUrl: '', replyTo: '' },
  test: {},
};

/** The headers of every mail, and no others. */
const HEADERS = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];

describe.runIf(hasOpenssl)('what people type', async () => {
  const { server, service, mailer } = await startServiceWithMail();
  const outbox = mailOutbox(service.config);
  const kinds = Object.keys(paramsOf) as MailKind[];
  const cases = kinds.flatMap((kind) =>
    (['en', 'ru'] as const).map((language): [MailKind, Language] => [kind, language]),
  );

  test.each(cases)('adds no header, recipient or markup to %s in %s', async (kind, language) => {
    const to = `${kind}.${language}@example.com`;
    const before = server.mails.length;
    const mail = { to, language, kind, params: paramsOf[kind], link: 'https://shop.example.com/#token' };
    await service.db.transaction(async (tx) => outbox?.add(tx, mail, service.clock.now));
    await mailer.idle();
    const [sent, ...more] = server.mails.slice(before);
    expect(more).toEqual([]);
    expect(sent?.recipients).toEqual([to]);
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual(HEADERS);
    for (const values of Object.values(sent?.headers ?? {})) expect(values).toHaveLength(1);
    expect(sent?.headers.to).toEqual([to]);
    expect(sent?.subject).not.toMatch(/[\r\n\u2028\u202e\0]/);
    // Only the tags of the template.
    const tags = new Set([...(sent?.html ?? '').matchAll(/<\/?([a-z!]+)/g)].map(([, name]) => name));
    expect(
      [...tags].filter((name) => !/^(!doctype|html|head|meta|title|body|p|a|ul|li|!)$/.test(name as string)),
    ).toEqual([]);
    expect(sent?.html).not.toMatch(/<[^>]*onerror/);
    if (sent?.text.includes('Bcc')) expect(sent.text).not.toMatch(/^(Bcc|Cc):/m);
  });

  test.each([
    'a@example.com,victim@example.com',
    'a@example.com\r\nBcc: victim@example.com',
    '<a@example.com>',
    'a <a@example.com>',
    '"a@example.com, victim"@example.com',
    'a:b;@example.com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a(comment)@example.com',
    'a@example.com;victim@example.com',
    'a\u0000@example.com',
    'a@exam\u202eple.com',
    'a@b@example.com',
    '@example.com',
    'a@',
    'a@-example.com',
    'анна@example.com',
  ])('an address such as %j gets no mail', async (to) => {
    const added = await service.db.transaction(async (tx) =>
      outbox?.add(tx, { to, language: 'en', kind: 'test', params: {}, link: '' }, service.clock.now),
    );
    expect(added).toBe(false);
  });

  test('ordinary addresses do', () => {
    expect(mailAddress(" anna.o'neil+shop@mail.example.com ")).toBe("anna.o'neil+shop@mail.example.com");
    expect(mailAddress('anna@почта.example')).toBe('anna@xn--80a1acny.example');
  });

  test('limits of one mailbox count all spellings of its address', async () => {
    const add = (to: string) =>
      service.db.transaction(async (tx) =>
        outbox?.add(tx, { to, language: 'en', kind: 'password_reset', params: {}, link: 'x' }, service.clock.now),
      );
    const added = [];
    for (const to of ['Box@example.com', 'box+1@example.com', 'BOX+2@EXAMPLE.com', 'box+3@example.com'])
      added.push(await add(to));
    expect(added).toEqual([true, true, true, false]);
    expect(await add('other@example.com')).toBe(true);
  });
});
