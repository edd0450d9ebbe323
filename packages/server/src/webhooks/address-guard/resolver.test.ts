import { describe, expect, test, vi } from 'vitest';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { startNameServer, type Zone } from '../../../test/name-server.ts';
import { MINUTE } from '../../time/duration.ts';
import { nameResolver, type ResolverOptions } from './resolver.ts';

/** Long enough for a busy machine; a lookup that is expected to time out gets a short one. */
const LONG_MS = MINUTE;
const SHORT_MS = 300;

async function resolverFor(zone: Zone, options: Partial<ResolverOptions> = {}) {
  const server = await startNameServer(zone);
  const resolver = nameResolver({ timeoutMs: LONG_MS, nameServers: [server.address], ...options });
  cleanUpAfter(() => resolver.close());
  return { ...resolver, server };
}

describe('a name', () => {
  test('resolves to the addresses of both families', async () => {
    const { resolve } = await resolverFor({ 'both.test': ['192.0.2.1', '192.0.2.2', '2001:db8::1'] });
    expect(await resolve('both.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  test.each<[string, Zone[string], string[]]>([
    ['no IPv6 address', ['192.0.2.1'], ['192.0.2.1']],
    ['no IPv4 address', ['2001:db8::1'], ['2001:db8::1']],
    ['a silent server for IPv6', { A: ['192.0.2.1'], AAAA: 'silent' }, ['192.0.2.1']],
    ['a silent server for IPv4', { A: 'silent', AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
    ['a failing server for IPv6', { A: ['192.0.2.1'], AAAA: 'SERVFAIL' }, ['192.0.2.1']],
  ])('with %s gives those of the other family', async (_name, entry, addresses) => {
    const { resolve } = await resolverFor({ 'half.test': entry });
    expect(await resolve('half.test')).toEqual(addresses);
  });

  test.each<[string, Zone[string], string]>([
    ['that does not exist', 'NXDOMAIN', 'ENOTFOUND'],
    ['without an address', [], 'ENOTFOUND'],
    ['with a silent server', 'silent', 'EAI_AGAIN'],
    ['with a failing server', 'SERVFAIL', 'EAI_AGAIN'],
    // The IPv4 lookup failed, so the name may have an address.
    ['without IPv6 addresses and a silent server for IPv4', { A: 'silent' }, 'EAI_AGAIN'],
  ])('%s is rejected', async (name, entry, code) => {
    const timeoutMs = name.includes('silent') ? SHORT_MS : LONG_MS;
    const { resolve } = await resolverFor({ 'none.test': entry }, { timeoutMs });
    await expect(resolve('none.test')).rejects.toMatchObject({ code });
  });

  test('is not found when it cannot be a name', async () => {
    const { resolve } = await resolverFor({});
    await expect(resolve(`${'a'.repeat(70)}.test`)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('without a reachable name server is not reported as "connection refused", which is for receivers', async () => {
    const { resolve, server } = await resolverFor({});
    await server.close();
    await expect(resolve('any.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });
});

describe('lookups', () => {
  test.each([6, 60])('of %i names with a silent server delay no other', async (count) => {
    const { resolve, close, server } = await resolverFor({
      '*.dead.test': 'silent',
      '*.healthy.test': ['192.0.2.1'],
    });
    let failed = 0;
    const dead = Array.from({ length: count }, (_, index) =>
      resolve(`name${index}.dead.test`).catch(({ code }) => {
        failed++;
        return code;
      }),
    );
    const started = performance.now();
    for (let index = 0; index < 20; index++) expect(await resolve(`name${index}.healthy.test`)).toEqual(['192.0.2.1']);
    const elapsed = performance.now() - started;
    // All were resolved while the lookups of the dead names were still running.
    expect(failed).toBe(0);
    expect(new Set(server.queries.filter((query) => query.includes('dead'))).size).toBe(2 * count);
    close();
    expect(await Promise.all(dead)).toEqual(Array(count).fill('EAI_AGAIN'));
    console.log(`${count} silent names: ${(elapsed / 20).toFixed(2)} ms for a healthy one`);
  });

  test('of the same name share one, and the addresses are reused for five seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    cleanUpAfter(() => vi.useRealTimers());
    const { resolve, server } = await resolverFor({ 'shared.test': ['192.0.2.1'] });
    await Promise.all(Array.from({ length: 10 }, () => resolve('shared.test')));
    vi.advanceTimersByTime(4999);
    await resolve('SHARED.test');
    expect(server.queries.sort()).toEqual(['A shared.test', 'AAAA shared.test']);
    vi.advanceTimersByTime(1);
    await resolve('shared.test');
    expect(server.queries).toHaveLength(4);
  });

  test('an address with a TTL of 0 is not reused', async () => {
    const { resolve, server } = await resolverFor({ 'moving.test': { A: ['192.0.2.1'], ttl: 0 } });
    await resolve('moving.test');
    await resolve('moving.test');
    expect(server.queries.filter((query) => query.startsWith('A '))).toHaveLength(2);
  });

  test('a failure is not reused', async () => {
    const zone: Zone = {};
    const { resolve } = await resolverFor(zone);
    await expect(resolve('new.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    zone['new.test'] = ['192.0.2.1'];
    expect(await resolve('new.test')).toEqual(['192.0.2.1']);
  });

  test('beyond the limit are rejected at once', async () => {
    const { resolve, close } = await resolverFor(
      { '*.dead.test': 'silent', 'a.test': ['192.0.2.1'] },
      { maxLookups: 2 },
    );
    const dead = [resolve('a.dead.test'), resolve('b.dead.test')];
    await expect(resolve('a.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    close();
    for (const each of dead) await expect(each).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    expect(await resolve('a.test')).toEqual(['192.0.2.1']);
  });
});
