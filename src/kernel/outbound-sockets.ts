/** Connections for protocols other than HTTP, to hosts that are not trusted. */
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net'
import { normaliseHost } from './host-name.ts'
import { isMetadataIp, isPrivateIp } from './ip-ranges.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'

/**
 * `any`: all IP addresses except link-local ones and those of metadata services. `public`: only
 * addresses that are globally reachable, and only ports of mail servers. `own`: any IP address and
 * no name, for addresses that nonet itself listens on. What the operator allows is allowed in `any`
 * and `public`, except for the ports.
 */
export type EgressPolicy = 'any' | 'public' | 'own'

/** Of IMAP and SMTP; 2525 is an alternative to 587. */
export const PUBLIC_PORTS: readonly number[] = [143, 993, 25, 465, 587, 2525]

export interface CheckOptions {
  policy: EgressPolicy
  /** For the look-up and the connection together. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** A host whose IP addresses are checked. */
export interface CheckedHost {
  /** The first of its IP addresses. */
  readonly address: string
  readonly addresses: readonly string[]
  /** For TLS; undefined for an IP address. */
  readonly servername: string | undefined
  /**
   * For `net.connect` and `tls.connect` with the name as the host: all checked IP addresses, and
   * no other look-up. It is not called for an IP address.
   */
  readonly lookup: LookupFunction
}

export interface OutboundSockets {
  /** The code of an error is ADDRESS_REFUSED, TIMEOUT, ABORTED or one of the system. */
  connect: (host: string, port: number, options: CheckOptions) => Promise<Socket>
  check: (host: string, port: number, options: CheckOptions) => Promise<CheckedHost>
}

export interface SocketRules {
  /** Whether the operator allows this IP address. */
  isAllowedIp: (ip: string) => boolean
  /** Whether the operator allows this host name, whatever its IP addresses are. */
  isAllowedName: (name: string) => boolean
  resolve: (name: string) => Promise<readonly string[]>
}

export function createOutboundSockets(rules: SocketRules): OutboundSockets {
  function isAllowed(ip: string, policy: EgressPolicy): boolean {
    if (policy === 'own' || rules.isAllowedIp(ip)) return true
    return !isMetadataIp(ip) && (policy === 'any' || !isPrivateIp(ip))
  }

  async function resolveHost(host: string, port: number, policy: EgressPolicy) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notAllowed()
    if (policy === 'public' && !PUBLIC_PORTS.includes(port)) throw notAllowed()
    const name = normaliseHost(host)
    if (isIP(name) !== 0) {
      if (!isAllowed(name, policy)) throw notAllowed()
      return { address: name, addresses: [name], servername: undefined, lookup: lookupOf([name]) }
    }
    if (policy === 'own' || name === '') throw notAllowed()
    const addresses = await rules.resolve(name)
    const [address] = addresses
    if (address === undefined) throw new OutboundError('ENOTFOUND')
    const areAllowed = addresses.every((one) => isIP(one) !== 0 && isAllowed(one, policy))
    if (!areAllowed && !rules.isAllowedName(name)) throw notAllowed()
    return { address, addresses, servername: name, lookup: lookupOf(addresses) }
  }

  function check(host: string, port: number, { policy, ...limits }: CheckOptions) {
    return withLimits(limits, () => resolveHost(host, port, policy))
  }

  return {
    check,
    connect: (host, port, { policy, ...limits }) =>
      withLimits(limits, async (ended) => {
        const { address, servername, lookup } = await resolveHost(host, port, policy)
        ended.throwIfAborted()
        return open({ host: servername ?? address, port, lookup }, ended)
      })
  }
}

function notAllowed(): OutboundError {
  return new OutboundError('ADDRESS_REFUSED')
}

/** The IP addresses that were checked, so a name cannot change before the connection. */
function lookupOf(ips: readonly string[]): LookupFunction {
  const found = ips.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all }, done) => {
    const [first] = found
    process.nextTick(() => {
      if (all) done(null, found)
      else done(null, first?.address ?? '', first?.family)
    })
  }
}

function open(
  target: { host: string; port: number; lookup: LookupFunction },
  ended: AbortSignal
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connectSocket({ ...target, autoSelectFamily: true, noDelay: true })
  const end = () => socket.destroy(toOutboundError(ended.reason))
  ended.addEventListener('abort', end, { once: true })
  socket.once('error', reject).once('connect', () => {
    ended.removeEventListener('abort', end)
    socket.off('error', reject)
    resolve(socket)
  })
  return promise
}

/** Ends the work after its time or with the signal of the caller. */
async function withLimits<T>(
  { timeoutMs, signal }: Omit<CheckOptions, 'policy'>,
  work: (ended: AbortSignal) => Promise<T>
): Promise<T> {
  if (signal?.aborted) throw new OutboundError('ABORTED')
  const controller = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => {})
  const end = (code: string) => {
    const error = new OutboundError(code)
    controller.abort(error)
    reject(error)
  }
  const abort = () => end('ABORTED')
  const timer = setTimeout(end, timeoutMs, 'TIMEOUT')
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([ended, work(controller.signal)])
  } catch (error) {
    throw toOutboundError(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
