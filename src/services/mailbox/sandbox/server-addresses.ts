import type { IncomingMessage } from 'node:http'
import { isLoopbackIp } from '../../../kernel/ip-ranges.ts'
import type { ListenerAddress } from '../../../kernel/service.ts'
import type { MailboxContext } from '../context.ts'

/** The mail servers, as the client of a request reaches them; undefined until they listen. */
export function serverAddresses(
  { kernel, options }: Pick<MailboxContext, 'kernel' | 'options'>,
  request: IncomingMessage
): { imap: ListenerAddress; smtp: ListenerAddress } | undefined {
  const isLocal = options.sandboxHost.every(isLoopbackIp)
  const hostname = new URL(kernel.baseUrl(request)).hostname.replace(/^\[|\]$/g, '')
  const [imap, smtp] = ['imap', 'smtp'].map((name) => {
    const address = kernel.listenerAddress(name)
    return address && { host: isLocal ? address.host : hostname, port: address.port }
  })
  return imap && smtp && { imap, smtp }
}
