import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a name; rejects with `ENOTFOUND` when it has none, and with `EAI_AGAIN` when that is not known. */
export type Resolve = (name: string) => Promise<string[]>;

export interface ResolverOptions {
  /** For a whole lookup: both address families, all retries. */
  timeoutMs: number;
  /** `address:port`; those of the system when left out. */
  nameServers?: readonly string[];
  /** Different names looked up at once; more are rejected. */
  maxLookups?: number;
}

export interface NameResolver {
  resolve: Resolve;
  /** Cancels the lookups under way. */
  close(): void;
}

/** Once one family has addresses, the other may take this much longer: some name servers drop AAAA queries. */
const OTHER_FAMILY_MS = 500;
/** Longest time an address is reused; a shorter TTL is respected. */
const MAX_CACHE_MS = 5000;
const MAX_CACHE_ENTRIES = 1000;
/** More than the attempts that are in flight at most, so that it holds only when something else is wrong. */
const MAX_LOOKUPS = 512;
/** The name does not exist, has no address, or cannot be a name. Any other code may be our own name server's failure. */
const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

interface Found {
  addresses: string[];
  ttlMs: number;
}

/**
 * Resolves with c-ares: `dns.lookup` runs on the few threads of libuv and cannot be cancelled, so a few silent name
 * servers would hold up all other lookups. Each lookup has a channel of its own, so that none waits for another.
 */
export function nameResolver({ timeoutMs, nameServers, maxLookups = MAX_LOOKUPS }: ResolverOptions): NameResolver {
  const underWay = new Map<string, { found: Promise<string[]>; channel: Resolver }>();
  const cache = new Map<string, { addresses: string[]; until: number }>();

  function start(name: string): Promise<string[]> {
    if (underWay.size >= maxLookups) throw unknown(name, 'too many lookups are under way');
    // The retry doubles the time, so that two tries take the whole of it.
    const channel = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (nameServers) channel.setServers(nameServers);
    const found = query(name, channel, timeoutMs)
      .then(({ addresses, ttlMs }) => {
        keep(name, addresses, ttlMs);
        return addresses;
      })
      .finally(() => underWay.delete(name));
    underWay.set(name, { found, channel });
    return found;
  }

  function keep(name: string, addresses: string[], ttlMs: number) {
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
      return underWay.get(key)?.found ?? start(key);
    },
    close() {
      for (const { channel } of underWay.values()) channel.cancel();
    },
  };
}

/** What either family gives is enough: only addresses that are returned are checked and connected to. */
async function query(name: string, channel: Resolver, timeoutMs: number): Promise<Found> {
  const timers = [setTimeout(() => channel.cancel(), timeoutMs)];
  const families = [channel.resolve4(name, { ttl: true }), channel.resolve6(name, { ttl: true })];
  const waitLittle = () => void timers.push(setTimeout(() => channel.cancel(), OTHER_FAMILY_MS));
  for (const family of families) family.then(waitLittle, () => {});
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
  throw unclear ? unknown(name, unclear) : notFound(name);
}

/** Also knows names that only this machine knows (hosts file, mDNS), for development. */
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

const unknown = (name: string, why: string) =>
  Object.assign(new Error(`${name} could not be looked up: ${why}`), { code: 'EAI_AGAIN' });
