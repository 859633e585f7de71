import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether a delivery may go to this address: it is assigned on the public internet and has no
 * special purpose.
 *
 * IPv4 uses a deny list (RFC 6890 and the IANA IPv4 Special-Purpose Address Registry). IPv6 has
 * only 2000::/3 assigned as global unicast (RFC 4291, section 2.4; IANA IPv6 Address Space), so
 * everything else is refused, and inside it the IANA IPv6 Special-Purpose Address Registry. An IPv6
 * address that embeds an IPv4 address (mapped, compatible, translated, 6to4, Teredo) is always
 * refused, without decoding the IPv4 part. (`ipaddr.js` 2.5 takes ::7f00:1, 3ffe::1, 4000::1 and
 * 168.63.129.16 for public.)
 *
 * @param address an IPv4 address in four decimal parts or an IPv6 address without brackets; any
 *   other text, and any with a zone, is not public
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_4.check(address, 'ipv4')
  if (!isPlainIPv6(address)) return false
  return GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6')
}

/**
 * Whether this is an address of the machine itself: 127.0.0.0/8 (RFC 1122, section 3.2.1.3) or ::1
 * (RFC 4291, section 2.5.3). The mapped form ::ffff:127.0.0.1 does not count.
 *
 * @param address as for {@link isPublic}
 */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return LOOPBACK_4.check(address, 'ipv4')
  return isPlainIPv6(address) && LOOPBACK_6.check(address, 'ipv6')
}

/** A zone names an interface. No public address needs one, and BlockList ignores it. */
function isPlainIPv6(address: string): boolean {
  return isIPv6(address) && !address.includes('%')
}

/**
 * Creates the list of all addresses in some subnets, such as `10.0.0.0/8`. One list per family,
 * because a BlockList also compares IPv4 addresses with the mapped ones of its IPv6 subnets.
 */
function createBlockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const LOOPBACK_4 = createBlockList('ipv4', ['127.0.0.0/8'])
const LOOPBACK_6 = createBlockList('ipv6', ['::1/128'])
const GLOBAL_6 = createBlockList('ipv6', ['2000::/3'])

const SPECIAL_4 = createBlockList('ipv4', [
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // shared, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // in no registry: Azure's machines reach the agent of their host here
  '169.254.0.0/16', // link-local, RFC 3927; the metadata of clouds
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112; the limited broadcast, RFC 919
])

const SPECIAL_6 = createBlockList('ipv6', [
  '2001::/23', // protocol assignments, RFC 2928; Teredo, ORCHID
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3ffe::/16', // returned by the 6bone, RFC 3701
  '3fff::/20', // documentation, RFC 9637
])
