import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isInRanges, parseRanges } from './base-url.ts'

const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128']
/** The system connects to this machine instead. */
const UNSPECIFIED = ['0.0.0.0', '::']

/** IANA special-purpose registries: not globally reachable. */
const PRIVATE_IPV4_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4'
]

/** IPv4-compatible, local NAT64, discard, Teredo, documentation, local and multicast. */
const PRIVATE_IPV6_RANGES = [
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8'
]

/** IPv6 ranges that a NAT64 translator or 6to4 relay routes to the embedded IPv4 address. */
function embeddedRanges(range: string): string[] {
  const [ip = '', bits = ''] = range.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
  const high = ((a << 8) | b).toString(16)
  const low = ((c << 8) | d).toString(16)
  return [
    `::ffff:0:${ip}/${96 + Number(bits)}`,
    `64:ff9b::${ip}/${96 + Number(bits)}`,
    `2002:${high}:${low}::/${16 + Number(bits)}`
  ]
}

/** An IPv4 range behind the local prefix of NAT64 (RFC 8215), and as IPv4-compatible addresses. */
function localTranslations(range: string): string[] {
  const [ip = '', bits = ''] = range.split('/')
  return [`64:ff9b:1::${ip}/${96 + Number(bits)}`, `::${ip}/${96 + Number(bits)}`]
}

/**
 * Link-local addresses, and those of the metadata services of hosting providers, which give every
 * process the credentials of the machine. Most are at 169.254.169.254; the others are of Alibaba
 * Cloud, Oracle Cloud and Azure, and over IPv6 of AWS, Google Cloud and Scaleway.
 */
const METADATA_IPV4_RANGES = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32'
]
const METADATA_IPV6_RANGES = ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32', 'fd00:42::42/128']

let nonPublicRanges: { loopback: BlockList; private: BlockList; metadata: BlockList } | undefined

/** Created for the first IP address that is checked, because most starts check none. */
function rangesCloseBy() {
  nonPublicRanges ??= {
    loopback: rangesOf(LOOPBACK_RANGES),
    private: rangesOf([
      ...PRIVATE_IPV4_RANGES,
      ...PRIVATE_IPV4_RANGES.flatMap(embeddedRanges),
      ...PRIVATE_IPV6_RANGES
    ]),
    metadata: rangesOf([
      ...METADATA_IPV4_RANGES,
      ...METADATA_IPV4_RANGES.flatMap(embeddedRanges),
      ...METADATA_IPV4_RANGES.flatMap(localTranslations),
      ...METADATA_IPV6_RANGES
    ])
  }
  return nonPublicRanges
}

export function rangesOf(ranges: readonly string[]): BlockList {
  return parseRanges(ranges) ?? new BlockList()
}

export function isLoopbackIp(ip: string): boolean {
  return isInRanges(rangesCloseBy().loopback, ip)
}

/** Whether the IP address is not globally reachable. */
export function isPrivateIp(ip: string): boolean {
  return isInRanges(rangesCloseBy().private, ip)
}

/** Whether the IP address is link-local or of a provider's metadata service. */
export function isMetadataIp(ip: string): boolean {
  return isInRanges(rangesCloseBy().metadata, ip)
}

/** Whether a connection to the IP address arrives at this machine, on any of its interfaces. */
export function isOwnIp(ip: string): boolean {
  if (isLoopbackIp(ip)) return true
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return isInRanges(
    rangesOf([...UNSPECIFIED, ...own.map(({ address: ip }) => ip.split('%')[0] ?? '')]),
    ip
  )
}

/** Whether a host of a URL names this machine without a look-up. */
export function isOwnHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return isIP(host) === 0 ? /^(.*\.)?localhost\.?$/.test(host) : isOwnIp(host)
}
