import ipaddr from 'ipaddr.js';

/**
 * The network for rate limits. A client has a whole /64 of IPv6 addresses, so they count as one; an IPv4-mapped address
 * counts as IPv4. Pass `request.ip`, which respects `TRUST_PROXY`.
 */
export function clientNetwork(address: string): string {
  const bare = address.split('%', 1)[0] as string;
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString();
}
