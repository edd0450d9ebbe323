import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The client, as `TRUST_PROXY` tells. `request.ip` may have a port, which some proxies add. */
export const clientAddress = ({ ip }: Pick<FastifyRequest, 'ip'>): string => withoutPort(ip);

/** `192.0.2.7:49152` and `[2001:db8::1]:49152`, as some proxies write clients into `X-Forwarded-For`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;

/** Fastify's `trustProxy` for a number of proxies, or for their addresses and networks. */
export function trustedProxies(setting: number | string[] | undefined) {
  if (setting === undefined) return false;
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting;
  const networks = setting.map((text) => ipaddr.parseCIDR(ipaddr.isValidCIDR(text) ? text : singleAddress(text)));
  return (address: string) => {
    const bare = withoutPort(address);
    if (!ipaddr.isValid(bare)) return false;
    const parsed = ipaddr.process(bare);
    const forms = parsed instanceof ipaddr.IPv4 ? [parsed, parsed.toIPv4MappedAddress()] : [parsed];
    return networks.some(([network, bits]) =>
      forms.some((form) => form.kind() === network.kind() && form.match(network, bits)),
    );
  };
}

const singleAddress = (text: string) => `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`;

/**
 * The network for rate limits. A client has a whole /64 of IPv6 addresses, so they count as one; an IPv4-mapped address
 * counts as IPv4. Pass `request.ip`, which respects `TRUST_PROXY`.
 */
export function clientNetwork(address: string): string {
  const bare = withoutPort(address).split('%', 1)[0] as string;
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString();
}
