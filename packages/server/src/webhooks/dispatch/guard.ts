import { isIP, type LookupFunction } from 'node:net';
import { Refusal } from '../../refusal.ts';
import { addressFault } from './addresses.ts';
import { nameResolver, notFound, type Resolve } from './resolver.ts';

export type { Resolve } from './resolver.ts';

export interface GuardOptions {
  /** For development: internal addresses and plain http are fine. */
  allowInternal: boolean;
  /** For tests: name servers (`address:port`) in place of the system's. */
  nameServers?: readonly string[];
  /** For tests: a function in place of DNS. */
  resolve?: Resolve;
}

/** The host is, or turned out to be, somewhere webhooks must not go. */
export class AddressNotAllowed extends Error {
  override name = 'AddressNotAllowed';
}

const MAX_LENGTH = 2000;
/** Names that mean inside wherever they are asked for (RFC 6761, 6762, 9476 and the reserved `internal`). */
const innerNames = /(^|\.)(localhost|local|internal|localdomain|lan|home\.arpa|onion|alt)\.?$/i;

/** Longest time a person waits for the lookup of an address they entered. */
const CHECK_TIMEOUT_MS = 5000;
/** Apart from those of deliveries, so that addresses entered by many cannot delay them; few are entered at once. */
const limits = { timeoutMs: CHECK_TIMEOUT_MS, maxLookups: 256 };
const checks = nameResolver(limits);

/** Checks an address when it is entered; the connection of every attempt is checked again, see `guardedLookup`. */
export async function checkUrl(text: string, { allowInternal, nameServers, ...options }: GuardOptions): Promise<URL> {
  const { resolve } = nameServers ? nameResolver({ ...limits, nameServers }) : checks;
  const url = readUrl(text.trim(), allowInternal);
  if (allowInternal) return url;
  const host = bareHost(url.hostname);
  try {
    await publicAddresses(host, options.resolve ?? resolve);
  } catch (error) {
    const isPlain = isIP(host) > 0 || innerNames.test(host);
    if (error instanceof AddressNotAllowed && isPlain) throw refuse(`is not allowed: ${error.message}`);
    if ((error as { code?: unknown }).code === 'EAI_AGAIN')
      throw refuse(`names a host whose name server did not respond in time: ${host}; try again later`);
    // One message for both: the difference would tell which names exist in the network of the service.
    throw refuse(`names a host that cannot be found or is not public: ${host}`);
  }
  return url;
}

function readUrl(text: string, allowInternal: boolean): URL {
  if (!URL.canParse(text)) throw refuse('must be a whole address such as https://example.com/hooks');
  if (text.length > MAX_LENGTH) throw refuse(`must have at most ${MAX_LENGTH} characters`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowInternal && url.protocol === 'http:'))
    throw refuse('must start with https://');
  if (url.username || url.password) throw refuse('must not carry a user name or a password');
  if (!url.hostname || url.hostname === '.') throw refuse('must name a host');
  url.hash = '';
  return url;
}

/** All addresses of the host, or the reason why one of them will not do. A literal address is its own answer. */
async function publicAddresses(host: string, resolve: Resolve): Promise<string[]> {
  if (innerNames.test(host)) throw new AddressNotAllowed(`${host} is a name for internal use`);
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (!addresses.length) throw notFound(host);
  for (const address of addresses) {
    const fault = addressFault(address);
    // One bad address spoils the answer: which of them would be taken is not ours to say.
    if (fault) throw new AddressNotAllowed(address === host ? `${host} is ${fault}` : `${host} leads to ${fault}`);
  }
  return addresses;
}

/** A literal address never reaches a lookup, so the connector asks here first. */
export function literalFault(hostname: string, { allowInternal }: GuardOptions): AddressNotAllowed | undefined {
  const host = bareHost(hostname);
  const fault = !allowInternal && isIP(host) ? addressFault(host) : undefined;
  return fault ? new AddressNotAllowed(`${host} is ${fault}`) : undefined;
}

/** Resolves a name for a connection: what it returns was checked, and what it returns is what is connected to. */
export function guardedLookup(resolve: Resolve, { allowInternal }: GuardOptions): LookupFunction {
  return (name, options, callback) => {
    const answer = allowInternal ? resolve(name) : publicAddresses(name, resolve);
    answer.then(
      (addresses) => {
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) callback(null, list);
        else callback(null, list[0]?.address ?? '', list[0]?.family ?? 4);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

const refuse = (message: string) =>
  new Refusal('invalid_body', `The address ${message}.`, [{ pointer: '/url', code: 'not_allowed', message }]);
