import type { Socket } from 'node:net'
import type { Kernel } from '../../../kernel/service.ts'
import type { MailServer } from '../accounts/servers.ts'

const CONNECT_TIMEOUT_MS = 30_000

/** To a mail server that the egress policy of its account allows. */
export function openMailSocket(
  { outbound }: Pick<Kernel, 'outbound'>,
  { host, port, egress }: MailServer,
  signal: AbortSignal
): Promise<Socket> {
  return outbound.connect(host, port, { policy: egress, timeoutMs: CONNECT_TIMEOUT_MS, signal })
}
