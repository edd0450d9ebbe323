import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Descriptions of the non-public ranges, by their ipaddr.js name. */
const ranges: Record<string, string> = {
  unspecified: 'an unspecified address',
  loopback: 'the machine itself',
  private: 'a private network',
  uniqueLocal: 'a private network',
  deprecatedSiteLocal: 'a private network',
  linkLocal: 'the local link',
  carrierGradeNat: 'the network of a provider',
  multicast: 'a multicast group',
  broadcast: 'a broadcast address',
  ipv4Mapped: 'an IPv4 address inside an IPv6 one',
  rfc6145: 'an IPv4 address inside an IPv6 one',
  rfc6052: 'an IPv4 address inside an IPv6 one',
  '6to4': 'an IPv4 address inside an IPv6 one',
  teredo: 'an IPv4 address inside an IPv6 one',
};
const RESERVED = 'a range reserved for special use';

const network = (text: string) => ipaddr.IPv6.parseCIDR(text);
const globalUnicast = network('2000::/3');
/** Ranges that embed an IPv4 address; ipaddr.js does not classify all of them as such. */
const embeddingRanges = ['::/96', '64:ff9b::/96', '64:ff9b:1::/48'].map(network);
/** Returned to IANA, for documentation, or part of a special-purpose block. */
const special = ['100:0:0:1::/64', '2001::/23', '2001:db8::/32', '3ffe::/16', '3fff::/20'].map(network);
/** Azure platform address: in a public range, but reachable only from Azure machines. */
const PLATFORM = '168.63.129.16';

/**
 * Why webhooks must not be sent to this address; undefined for a public one. An allow list: ranges that are not known to
 * be public are rejected.
 */
export function forbiddenReason(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return 'not an address';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range !== 'unicast') return ranges[range] ?? RESERVED;
  if (address.toString() === PLATFORM) return 'a service of the hosting platform';
  if (address instanceof ipaddr.IPv6) {
    if (embeddingRanges.some((net) => address.match(net))) return ranges.ipv4Mapped;
    if (!address.match(globalUnicast) || special.some((net) => address.match(net))) return RESERVED;
  }
  return isOwn(address) ? ranges.loopback : undefined;
}

export const isPublicAddress = (address: string) => forbiddenReason(address) === undefined;

/** This machine may have public addresses, with services that are meant for internal use only. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const normalized = address.toNormalizedString();
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => ipaddr.parse(own.address.split('%', 1)[0] as string).toNormalizedString() === normalized),
  );
}
