import { isIP, type LookupFunction } from 'node:net';
import { DomainError } from '../../domain-error.ts';
import { forbiddenReason } from './addresses.ts';
import { nameResolver, notFound, type Resolve } from './resolver.ts';

export type { Resolve } from './resolver.ts';

export interface GuardOptions {
  /** For development: allows internal addresses and plain http. */
  allowInternal: boolean;
  /** For tests: name servers (`address:port`) instead of the system's. */
  nameServers?: readonly string[];
  /** For tests: replaces DNS. */
  resolve?: Resolve;
}

/** The host is, or resolves to, an address webhooks must not be sent to. */
export class AddressNotAllowed extends Error {
  override name = 'AddressNotAllowed';
}

const MAX_LENGTH = 2000;
/** Special-use names that are never public (RFC 6761, 6762, 9476 and the reserved `internal`). */
const internalNames = /(^|\.)(localhost|local|internal|localdomain|lan|home\.arpa|onion|alt)\.?$/i;

const LOCAL_HINT =
  'to receive events on your own machine, use store-sales listen --forward-to, or start the service with WEBHOOK_ALLOW_INTERNAL=true';

/** A user waits for this lookup after entering a URL. */
const CHECK_TIMEOUT_MS = 5000;
/** Separate from the resolver of deliveries, so that URL checks cannot delay them. */
const limits = { timeoutMs: CHECK_TIMEOUT_MS, maxLookups: 256 };
const checks = nameResolver(limits);

/** Checks a URL when it is entered; every connection is checked again, see `guardedLookup`. */
export async function checkUrl(text: string, { allowInternal, nameServers, ...options }: GuardOptions): Promise<URL> {
  const { resolve } = nameServers ? nameResolver({ ...limits, nameServers }) : checks;
  const url = readUrl(text.trim(), allowInternal);
  if (allowInternal) return url;
  const host = bareHost(url.hostname);
  try {
    await publicAddresses(host, options.resolve ?? resolve);
  } catch (error) {
    const isEvident = isIP(host) > 0 || internalNames.test(host);
    if (error instanceof AddressNotAllowed && isEvident)
      throw refuse(`is not allowed: ${error.message}; ${LOCAL_HINT}`);
    if ((error as { code?: unknown }).code === 'EAI_AGAIN')
      throw refuse(`has a host whose name server did not respond in time: ${host}; try again later`);
    // The same message for both cases: otherwise it would reveal which names exist in the internal network.
    throw refuse(`has a host that cannot be found or is not public: ${host}`);
  }
  return url;
}

function readUrl(text: string, allowInternal: boolean): URL {
  if (!URL.canParse(text)) throw refuse('must be an absolute URL such as https://example.com/hooks');
  if (text.length > MAX_LENGTH) throw refuse(`must have at most ${MAX_LENGTH} characters`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowInternal && url.protocol === 'http:'))
    throw refuse(`must start with https://; ${LOCAL_HINT}`);
  if (url.username || url.password) throw refuse('must not contain a user name or a password');
  if (!url.hostname || url.hostname === '.') throw refuse('must have a host');
  url.hash = '';
  return url;
}

/** Resolves a host or literal address; throws AddressNotAllowed unless all its addresses are public. */
async function publicAddresses(host: string, resolve: Resolve): Promise<string[]> {
  if (internalNames.test(host)) throw new AddressNotAllowed(`${host} is an internal name`);
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (!addresses.length) throw notFound(host);
  for (const address of addresses) {
    const reason = forbiddenReason(address);
    // Reject the host if any address is internal: we do not control which one is connected to.
    if (reason)
      throw new AddressNotAllowed(address === host ? `${host} is ${reason}` : `${host} resolves to ${reason}`);
  }
  return addresses;
}

/** Node skips the lookup for literal addresses, so the connector checks them with this. */
export function literalAddressError(hostname: string, { allowInternal }: GuardOptions): AddressNotAllowed | undefined {
  const host = bareHost(hostname);
  const reason = !allowInternal && isIP(host) ? forbiddenReason(host) : undefined;
  return reason ? new AddressNotAllowed(`${host} is ${reason}`) : undefined;
}

/** Lookup function for connections: returns only checked addresses, which prevents DNS rebinding. */
export function guardedLookup(resolve: Resolve, { allowInternal }: GuardOptions): LookupFunction {
  return (name, options, callback) => {
    const lookup = allowInternal ? resolve(name) : publicAddresses(name, resolve);
    lookup.then(
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
  new DomainError('invalid_body', `The URL ${message}.`, [{ pointer: '/url', code: 'not_allowed', message }]);
