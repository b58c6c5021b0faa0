import { isLoopbackIp } from '../../../../../kernel/ip-ranges.ts'
import { capabilities } from '../extensions.ts'
import type { Session } from './session.ts'

export function capabilityOf(session: Session): string {
  const { context, extensions } = session.server
  return capabilities({
    extensions,
    isAuthenticated: session.account !== undefined,
    canStartTls: !session.isEncrypted && session.account === undefined,
    canLogIn: canLogIn(session),
    maxMessageBytes: context.options.sandboxMessageBytes
  })
}

/** Passwords of other machines are accepted only over TLS. */
export function canLogIn({ isEncrypted, socket }: Session): boolean {
  return isEncrypted || isLoopbackIp(socket.remoteAddress ?? '')
}
