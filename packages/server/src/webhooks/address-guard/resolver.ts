import { lookup, Resolver } from 'node:dns/promises';

/** Returns all addresses of a name; rejects with `ENOTFOUND` if it has none, with `EAI_AGAIN` if the lookup failed. */
export type Resolve = (name: string) => Promise<string[]>;

export interface ResolverOptions {
  /** For a whole lookup: both address families, all retries. */
  timeoutMs: number;
  /** `address:port`; the system's by default. */
  nameServers?: readonly string[];
  /** Maximum number of concurrent lookups of different names; more are rejected. */
  maxLookups?: number;
}

export interface NameResolver {
  resolve: Resolve;
  /** Cancels running lookups. */
  close(): void;
}

/** Once one family has addresses, the other may take this much longer: some name servers drop AAAA queries. */
const OTHER_FAMILY_MS = 500;
/** Longest time an address is reused; a shorter TTL is respected. */
const MAX_CACHE_MS = 5000;
const MAX_CACHE_ENTRIES = 1000;
/** Above the maximum number of attempts in flight, so it is reached only if something else is wrong. */
const MAX_LOOKUPS = 512;
/** The name does not exist, has no address, or cannot be a name. Any other code may be our own name server's failure. */
const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

interface Found {
  addresses: string[];
  ttlMs: number;
}

/**
 * Resolves with c-ares: `dns.lookup` runs in libuv's small thread pool and cannot be cancelled, so a few silent name
 * servers would block all other lookups. Each lookup has its own channel, so that lookups do not wait for each other.
 */
export function nameResolver({ timeoutMs, nameServers, maxLookups = MAX_LOOKUPS }: ResolverOptions): NameResolver {
  const running = new Map<string, { found: Promise<string[]>; channel: Resolver }>();
  const cache = new Map<string, { addresses: string[]; until: number }>();

  function start(name: string): Promise<string[]> {
    if (running.size >= maxLookups) throw lookupFailed(name, 'too many concurrent lookups');
    // c-ares doubles the timeout for the second try: one third plus two thirds.
    const channel = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (nameServers) channel.setServers(nameServers);
    const found = query(name, channel, timeoutMs)
      .then(({ addresses, ttlMs }) => {
        cacheAddresses(name, addresses, ttlMs);
        return addresses;
      })
      .finally(() => running.delete(name));
    running.set(name, { found, channel });
    return found;
  }

  function cacheAddresses(name: string, addresses: string[], ttlMs: number) {
    if (ttlMs <= 0) return;
    cache.delete(name);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHE_ENTRIES) cache.delete(oldest);
    cache.set(name, { addresses, until: performance.now() + Math.min(ttlMs, MAX_CACHE_MS) });
  }

  return {
    async resolve(name) {
      const key = name.toLowerCase();
      const cached = cache.get(key);
      if (cached && performance.now() < cached.until) return cached.addresses;
      return running.get(key)?.found ?? start(key);
    },
    close() {
      for (const { channel } of running.values()) channel.cancel();
    },
  };
}

/** One address family is enough: only returned addresses are checked and connected to. */
async function query(name: string, channel: Resolver, timeoutMs: number): Promise<Found> {
  const timers = [setTimeout(() => channel.cancel(), timeoutMs)];
  const families = [channel.resolve4(name, { ttl: true }), channel.resolve6(name, { ttl: true })];
  const cancelSoon = () => void timers.push(setTimeout(() => channel.cancel(), OTHER_FAMILY_MS));
  for (const family of families) family.then(cancelSoon, () => {});
  const results = await Promise.allSettled(families);
  for (const timer of timers) clearTimeout(timer);

  const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (records.length)
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * 1000,
    };
  const codes = results.map((result) => (result.status === 'rejected' ? String(result.reason.code) : 'ENODATA'));
  const unclear = codes.find((code) => !notFoundCodes.has(code));
  throw unclear ? lookupFailed(name, unclear) : notFound(name);
}

/** For development: also resolves names known only to this machine (hosts file, mDNS). */
export function withLocalNames(resolve: Resolve): Resolve {
  const local: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);
  return (name) => {
    if (localNames.test(name)) return local(name);
    return resolve(name).catch((error) => (error.code === 'ENOTFOUND' ? local(name) : Promise.reject(error)));
  };
}

/** Without a dot, or under a name that is not in the public DNS. */
const localNames = /^[^.]+\.?$|\.(localhost|local|internal|localdomain|lan|home\.arpa)\.?$/i;

export const notFound = (name: string) => Object.assign(new Error(`no address for ${name}`), { code: 'ENOTFOUND' });

const lookupFailed = (name: string, why: string) =>
  Object.assign(new Error(`lookup of ${name} failed: ${why}`), { code: 'EAI_AGAIN' });
