import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { startNameServer } from '../../../test/name-server.ts';
import { forbiddenReason, isPublicAddress } from './addresses.ts';
import { checkUrl, guardedLookup, type Resolve } from './guard.ts';

const OUTSIDE = '93.184.215.14';
/** A name server under the test's control. */
const names: Record<string, string[]> = {
  'example.com': [OUTSIDE, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.0.0.5'],
  'inside6.example.com': ['fd00::5'],
  'mixed.example.com': [OUTSIDE, '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:10.0.0.5'],
  'empty.example.com': [],
};
const resolve: Resolve = async (name) => {
  const found = names[name];
  if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return found;
};
const check = (url: string) => checkUrl(url, { allowInternal: false, resolve });

const self = /the machine itself/;
const none = /unspecified/;
const privateNet = /private network/;
const link = /local link/;
const reserved = /reserved for special use/;
const embedded = /IPv4 address inside an IPv6 one/;
const group = /multicast/;
const inner = /is an internal name/;
const notAbsolute = /must be an absolute URL/;
const onlyHttps = /must start with https.*WEBHOOK_ALLOW_INTERNAL=true/;
const credentials = /user name or a password/;
const unknown = /cannot be found or is not public/;

const hostile: [string, RegExp][] = [
  // Every internal range of IPv4.
  ['https://127.0.0.1/', self],
  ['https://127.255.255.254/', self],
  ['https://0.0.0.0/', none],
  ['https://0.1.2.3/', none],
  ['https://10.0.0.1/', privateNet],
  ['https://10.255.255.255:8443/', privateNet],
  ['https://172.16.0.1/', privateNet],
  ['https://172.31.255.255/', privateNet],
  ['https://192.168.0.1/', privateNet],
  ['https://100.64.0.1/', /network of a provider/],
  ['https://100.127.255.255/', /network of a provider/],
  ['https://169.254.169.254/latest/meta-data', link],
  ['https://192.0.0.1/', reserved],
  ['https://192.0.2.1/', reserved],
  ['https://192.31.196.1/', reserved],
  ['https://192.52.193.1/', reserved],
  ['https://192.88.99.1/', reserved],
  ['https://192.175.48.1/', reserved],
  ['https://198.18.0.1/', reserved],
  ['https://198.19.255.255/', reserved],
  ['https://198.51.100.1/', reserved],
  ['https://203.0.113.1/', reserved],
  ['https://224.0.0.1/', group],
  ['https://239.255.255.255/', group],
  ['https://240.0.0.1/', reserved],
  ['https://255.255.255.255/', /broadcast/],
  ['https://168.63.129.16/', /hosting platform/],
  // Other ways to write them.
  ['https://2130706433/', self],
  ['https://0x7f000001/', self],
  ['https://0x7f.0.0.1/', self],
  ['https://0177.0.0.1/', self],
  ['https://017700000001/', self],
  ['https://127.1/', self],
  ['https://127.0.1/', self],
  ['https://0/', none],
  ['https://10.1/', privateNet],
  ['https://0xa9fea9fe/', link],
  ['https://192.168.257/', privateNet],
  ['https://127.0.0.1./', self],
  ['https://１２７.０.０.１/', self],
  ['https://①②⑦.0.0.1/', self],
  ['https://%31%32%37.0.0.1/', self],
  ['https://127。0。0。1/', self],
  // IPv6.
  ['https://[::1]/', self],
  ['https://[::]/', none],
  ['https://[0:0:0:0:0:0:0:1]/', self],
  ['https://[fc00::1]/', privateNet],
  ['https://[fd12:3456::1]/', privateNet],
  ['https://[fec0::1]/', privateNet],
  ['https://[fe80::1]/', link],
  ['https://[ff02::1]/', group],
  ['https://[100::1]/', reserved],
  ['https://[100:0:0:1::1]/', reserved],
  ['https://[2001:db8::1]/', reserved],
  ['https://[3fff::1]/', reserved],
  ['https://[2001:2::1]/', reserved],
  ['https://[2001:10::1]/', reserved],
  ['https://[2001:20::1]/', reserved],
  ['https://[2001:1::1]/', reserved],
  ['https://[5f00::1]/', reserved],
  ['https://[4000::1]/', reserved],
  ['https://[1::1]/', reserved],
  // IPv4 inside IPv6; the public ones too.
  ['https://[::ffff:127.0.0.1]/', embedded],
  ['https://[::ffff:7f00:1]/', embedded],
  ['https://[::ffff:10.0.0.1]/', embedded],
  ['https://[::ffff:93.184.215.14]/', embedded],
  ['https://[::127.0.0.1]/', embedded],
  ['https://[::ffff:0:127.0.0.1]/', embedded],
  ['https://[64:ff9b::127.0.0.1]/', embedded],
  ['https://[64:ff9b::a00:1]/', embedded],
  ['https://[64:ff9b:1::a00:1]/', embedded],
  ['https://[2002:7f00:1::]/', embedded],
  ['https://[2002:a00:1::1]/', embedded],
  ['https://[2001::a00:1]/', embedded],
  // Names.
  ['https://localhost/', inner],
  ['https://LOCALHOST/', inner],
  ['https://localhost./', inner],
  ['https://a.localhost/', inner],
  ['https://printer.local/', inner],
  ['https://metadata.google.internal/', inner],
  ['https://router.home.arpa/', inner],
  ['https://inside.example.com/', unknown],
  ['https://inside6.example.com/', unknown],
  ['https://mixed.example.com/', unknown],
  ['https://metadata.example.com/', unknown],
  ['https://mapped.example.com/', unknown],
  ['https://empty.example.com/', unknown],
  ['https://unknown.example.com/', unknown],
  // Schemes, credentials and invalid URLs.
  ['http://example.com/', onlyHttps],
  ['HTTP://example.com/', onlyHttps],
  ['ftp://example.com/', onlyHttps],
  ['file:///etc/passwd', onlyHttps],
  ['gopher://example.com/', onlyHttps],
  ['javascript:alert(1)', onlyHttps],
  ['data:,x', onlyHttps],
  ['ws://example.com/', onlyHttps],
  ['https://user@example.com/', credentials],
  ['https://user:secret@example.com/', credentials],
  ['https://:secret@example.com/', credentials],
  ['https://example.com@127.0.0.1/', credentials],
  ['https://', notAbsolute],
  ['https://?x', notAbsolute],
  ['example.com/hook', notAbsolute],
  ['//example.com/hook', notAbsolute],
  ['', notAbsolute],
  ['https://exa mple.com/', notAbsolute],
  ['https://256.1.1.1/', notAbsolute],
  ['https://[::1/', notAbsolute],
  ['https://[fe80::1%25eth0]/', notAbsolute],
  ['https://example.com:99999/', notAbsolute],
  ['https://./', /must have a host|cannot be found/],
  [`https://example.com/${'a'.repeat(2000)}`, /at most 2000/],
];

describe('checkUrl', () => {
  test('covers more than 60 hostile URLs', () => expect(hostile.length).toBeGreaterThan(60));

  test.each(hostile)('%s is rejected', async (url, reason) => {
    await expect(check(url)).rejects.toThrow(reason);
    await expect(check(url)).rejects.toMatchObject({ code: 'invalid_body', fieldErrors: [{ pointer: '/url' }] });
  });

  test('a name with an internal address gets the same error as an unknown name', async () => {
    const errorFor = async (host: string) => {
      const error = await check(`https://${host}/`).catch((error) => error);
      return JSON.stringify([error.code, error.detail, error.fieldErrors]).replaceAll(host, 'HOST');
    };
    const unknownName = await errorFor('unknown.example.com');
    for (const host of Object.keys(names).filter((name) => name !== 'example.com'))
      expect(await errorFor(host)).toBe(unknownName);
  });

  test.each([
    ['https://example.com', 'https://example.com/'],
    [' https://example.com/hook?shop=1#part ', 'https://example.com/hook?shop=1'],
    ['https://example.com:8443/x', 'https://example.com:8443/x'],
    ['https://EXAMPLE.com/X', 'https://example.com/X'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ])('%s is accepted', async (url, stored) => {
    expect((await check(url)).href).toBe(stored);
  });

  test('a failing name server and an unknown name are different errors', async () => {
    const { address } = await startNameServer({ 'failing.example.com': 'SERVFAIL' });
    const options = { allowInternal: false, nameServers: [address] };
    await expect(checkUrl('https://failing.example.com/', options)).rejects.toThrow(/did not respond in time/);
    await expect(checkUrl('https://none.example.com/', options)).rejects.toThrow(unknown);
  });

  test('allowInternal allows internal addresses and http, but not credentials', async () => {
    const lax = (url: string) => checkUrl(url, { allowInternal: true, resolve });
    expect((await lax('http://127.0.0.1:8080/x')).href).toBe('http://127.0.0.1:8080/x');
    expect((await lax('http://unknown.example.com/')).href).toBe('http://unknown.example.com/');
    await expect(lax('http://u:p@localhost/')).rejects.toThrow(credentials);
    await expect(lax('ftp://localhost/')).rejects.toThrow(onlyHttps);
  });
});

test("the machine's own addresses are rejected, public or not", () => {
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const address of own) expect(forbiddenReason(address.split('%')[0] as string)).toBeTruthy();
});

test('public addresses are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2001:4860:4860::8888', '2a00:1450::1'])
    expect(isPublicAddress(address)).toBe(true);
  expect(isPublicAddress('nonsense')).toBe(false);
});

describe('guardedLookup', () => {
  const lookup = (name: string, all: boolean) =>
    new Promise((done) => {
      guardedLookup(resolve, { allowInternal: false })(name, { all }, (error, address, family) =>
        done(error ? error.message : all ? address : [address, family]),
      );
    });

  test('returns exactly the checked addresses', async () => {
    expect(await lookup('example.com', true)).toEqual([
      { address: OUTSIDE, family: 4 },
      { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
    ]);
    expect(await lookup('example.com', false)).toEqual([OUTSIDE, 4]);
  });

  test('one internal address rejects the host', async () => {
    expect(await lookup('mixed.example.com', true)).toMatch(self);
    expect(await lookup('unknown.example.com', true)).toMatch(/ENOTFOUND/);
  });
});
