import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sign, signatureHeader, verify } from './signature.ts';

const secret = 'whsec_abc';
const body = '{"data":{"externalId":"Заказ 1"}}';
const at = 1_790_000_000;
const now = at * 1000;
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest('hex');

test('is the HMAC of timestamp, dot and body under the whole secret', async () => {
  expect(await sign(secret, at, body)).toBe(hmac('whsec_abc', `${at}.${body}`));
  expect(await sign(secret, at, Buffer.from(body))).toBe(hmac('whsec_abc', `${at}.${body}`));
  expect(await signatureHeader(['a', 'b'], at, body)).toBe(
    `t=${at},v1=${hmac('a', `${at}.${body}`)},v1=${hmac('b', `${at}.${body}`)}`,
  );
});

describe('verification', () => {
  const header = () => signatureHeader(['old', secret], at, body);

  test('accepts any of several values, as text or bytes, with any of several secrets', async () => {
    expect(await verify(body, await header(), secret, { now })).toEqual({ ok: true, timestamp: at });
    expect(await verify(Buffer.from(body), await header(), 'old', { now })).toEqual({ ok: true, timestamp: at });
    expect(await verify(body, await header(), ['other', 'old'], { now })).toEqual({ ok: true, timestamp: at });
    expect((await verify(body, `v9=x,${await header()}`, secret, { now })).ok).toBe(true);
  });

  test.each([
    [300, 'ok'],
    [301, 'too_old'],
    [-300, 'ok'],
    [-301, 'too_new'],
  ])('%i seconds after the timestamp: %s', async (age, wanted) => {
    const result = await verify(body, await header(), secret, { now: now + age * 1000 });
    expect(result.ok ? 'ok' : result.reason).toBe(wanted);
  });

  test('the tolerance can be set', async () => {
    expect((await verify(body, await header(), secret, { now: now + 11_000, tolerance: 10 })).ok).toBe(false);
  });

  test.each([
    ['another body', (header: string) => verify(`${body} `, header, secret, { now })],
    ['another secret', (header: string) => verify(body, header, 'whsec_abd', { now })],
    ['the secret without its prefix', (header: string) => verify(body, header, 'abc', { now })],
    ['another timestamp', (header: string) => verify(body, header.replace(`t=${at}`, `t=${at + 1}`), secret, { now })],
  ])('%s does not match', async (_name, check) => {
    expect(await check(await header())).toMatchObject({ ok: false, reason: 'mismatch' });
  });

  test.each([
    undefined,
    '',
    'nonsense',
    `t=${at}`,
    `v1=${'0'.repeat(64)}`,
    `t=${at},v1=`,
    `t=${at},v1=${'0'.repeat(63)}`,
    `t=-5,v1=${'0'.repeat(64)}`,
    `t=${at},t=${at},v1=${'0'.repeat(64)}`,
    `t=${at},v1=${'g'.repeat(64)}`,
  ])('the header %s is malformed', async (malformed) => {
    expect(await verify(body, malformed, secret, { now })).toMatchObject({ ok: false, reason: 'malformed' });
  });
});
