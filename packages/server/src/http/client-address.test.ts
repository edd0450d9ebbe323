import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { clientNetwork } from './client-address.ts';

describe('the network that limits are counted by', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    ['192.0.2.7:49152', '192.0.2.7'],
    ['[2001:db8:1:2::1]:49152', '2001:db8:1:2::'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::'],
    ['not an address', 'not an address'],
    ['[', '['],
  ])('%s counts as %s', (address, network) => expect(clientNetwork(address)).toBe(network));
});

describe('TRUST_PROXY', () => {
  /** The recorded IP address of a sign-in. */
  async function seenAs(env: Record<string, string>, forwarded: string) {
    const service = await startService({ env });
    const { email, id } = await service.owner();
    await browser(service, { origin: service.url, 'x-forwarded-for': forwarded }).signIn(email);
    const entries = await service.db.all<{ details: string }>(
      sql`select details from history where scope_id = ${id} and action = 'signed_in'`,
    );
    return JSON.parse(entries[0]?.details as string).address;
  }

  test('by default, no proxy is trusted', async () => {
    expect(await seenAs({}, '192.0.2.1')).toBe('127.0.0.1');
    expect(await seenAs({ PUBLIC_URL: 'http://localhost:1' }, '192.0.2.1')).toBe('127.0.0.1');
  });

  test('a number counts hops from the server, so a forged first entry is ignored', async () => {
    expect(await seenAs({ TRUST_PROXY: '1' }, '6.6.6.6, 192.0.2.1')).toBe('192.0.2.1');
    expect(await seenAs({ TRUST_PROXY: '2' }, '6.6.6.6, 192.0.2.1, 10.0.0.1')).toBe('192.0.2.1');
  });

  test('networks are trusted, and the first address outside of them is the client', async () => {
    const env = { TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' };
    expect(await seenAs(env, '6.6.6.6, 192.0.2.1, 10.0.0.1')).toBe('192.0.2.1');
    expect(await seenAs({ TRUST_PROXY: '10.0.0.0/8' }, '192.0.2.1')).toBe('127.0.0.1');
    expect(await seenAs({ TRUST_PROXY: '::ffff:127.0.0.1,::1' }, '192.0.2.1, ::ffff:127.0.0.1')).toBe('192.0.2.1');
  });

  test('the ports that some proxies add to addresses are no part of them', async () => {
    expect(await seenAs({ TRUST_PROXY: '1' }, '192.0.2.1:49152')).toBe('192.0.2.1');
    expect(await seenAs({ TRUST_PROXY: '1' }, '[2001:db8::1]:49152')).toBe('2001:db8::1');
    const env = { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, fd00::/8' };
    expect(await seenAs(env, '6.6.6.6, 192.0.2.1:1, 10.0.0.1:2, [fd00::1]:3')).toBe('192.0.2.1');
  });

  test('limits count one visitor with a new port for each connection as one', async () => {
    const service = await startService({ env: { TRUST_PROXY: '1' } });
    const { email } = await service.owner();
    const outcomes: number[] = [];
    for (let port = 50_000; port < 50_007; port++) {
      const visitor = browser(service, { origin: service.url, 'x-forwarded-for': `192.0.2.9:${port}` });
      outcomes.push((await visitor.signIn(email, 'a wrong password')).status);
    }
    expect(outcomes).toContain(429);
  });
});
