import { describe, expect, test } from 'vitest';
import { readConfig, variables } from './config.ts';

const read = (env: Record<string, string>) => readConfig({ SECRET_KEY: 'a secret key of these tests only', ...env });

test.each([
  ['DRAIN_TIME', '1d', '25h', 'at most 1d'],
  ['REQUEST_TIMEOUT', '1d', '25d', 'at most 1d'],
  ['WEBHOOK_TIMEOUT', '1d', '999999999y', 'at most 1d'],
  ['WEBHOOK_DISABLE_AFTER', '1y', '366d', 'at most 1y'],
  ['WEBHOOK_RETRY_DELAYS', '1m,365d', '1m,999999999y', 'at most 1y'],
  ['REQUEST_TIMEOUT', '1s', '0s', 'at least 1s'],
  ['WEBHOOK_TIMEOUT', '1s', '0s', 'at least 1s'],
])('%s accepts %s and rejects %s', (name, allowed, rejected, reason) => {
  expect(read({ [name]: allowed })).toHaveProperty(name);
  expect(() => read({ [name]: rejected })).toThrow(`${name} must be ${reason}, but is "${rejected}"`);
});

test('durations are limited to what timers and dates support', () => {
  const durations = Object.entries(variables).filter(([, variable]) => {
    const given = 'default' in variable ? variable.default : '';
    return /^\d+[smhdy](,|$)/.test(given);
  });
  expect(durations.length).toBeGreaterThanOrEqual(5);
  for (const [name] of durations) expect(() => read({ [name]: '100y' })).toThrow(/must be at most/);
});

describe('mail', () => {
  const given = { SMTP_URL: 'smtp://anna:p%40ss@mail.example.com', MAIL_FROM: 'Tea House <shop@example.com>' };

  test('needs a server and a sender', () => {
    expect(read(given)).toMatchObject({
      SMTP_URL: { host: 'mail.example.com', port: 587, isSecure: false, user: 'anna', password: 'p@ss' },
      MAIL_FROM: { name: 'Tea House', address: 'shop@example.com' },
    });
    expect(read({ ...given, SMTP_URL: 'smtps://[::1]' })).toMatchObject({
      SMTP_URL: { host: '::1', port: 465, isSecure: true, user: '', password: '' },
    });
    expect(() => read({ SMTP_URL: given.SMTP_URL })).toThrow('MAIL_FROM is required with SMTP_URL');
    expect(() => read({ MAIL_FROM: given.MAIL_FROM })).toThrow('SMTP_URL is required with MAIL_FROM');
  });

  test.each([
    'http://anna:hidden@mail.example.com',
    'anna:hidden@mail.example.com',
    'smtp://anna:hidden@',
    'smtp://anna@mail.example.com',
    'smtp://anna:hidden%zz@mail.example.com',
    'smtp://anna:hidden@mail.example.com/?pool=true',
    'smtp://anna:hidden/#x@mail.example.com',
  ])('rejects %s without showing it', (SMTP_URL) => {
    expect(() => read({ ...given, SMTP_URL })).toThrow(/^SMTP_URL (?!.*hidden)/);
  });

  test.each(['shop', 'a@b.example, c@d.example', 'Tea <a@b.example> <c@d.example>', 'Tea\r\nBcc: x <a@b.example>'])(
    'rejects the sender %j',
    (MAIL_FROM) => expect(() => read({ ...given, MAIL_FROM })).toThrow('MAIL_FROM must be'),
  );
});
