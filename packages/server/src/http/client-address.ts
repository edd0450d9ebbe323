import ipaddr from 'ipaddr.js';

/**
 * The network that limits are counted by. One client has a whole /64 of IPv6 addresses, so they count as one; an IPv4
 * address inside an IPv6 one counts as itself. The address comes from `request.ip`, which follows `TRUST_PROXY`.
 */
export function clientNetwork(address: string): string {
  const bare = address.split('%', 1)[0] as string;
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString();
}
