import type { IncomingMessage } from 'node:http'
import { OriginNotAllowed } from '../../../../kernel/admin-guard.ts'
import { HostNotAllowed } from '../../../../kernel/errors.ts'
import { sessionCookie } from '../../../../kernel/page-session.ts'
import { pageOrigin } from '../../../../kernel/session-access.ts'
import { textValue } from '../../api/values.ts'
import type { CardContext } from '../../context.ts'
import {
  PublishableKeyGiven,
  ReadScopeMissing,
  TokenInvalid,
  TokenNotAccepted
} from '../../contract.ts'
import { identify, mayRead } from '../../http/credentials.ts'
import type { Input } from '../../http/input.ts'
import { tokenAccount } from './page-access.ts'
import type { PageAccess } from './signed-in.ts'

const MAX_TOKEN = 200
const ORIGIN_MESSAGE = 'Only pages of this service may sign a browser in'
/** A path below the root; two slashes would begin the name of another host. */
const LOCAL_PATH = /^\/(?![/\\])[\w/.~%-]{0,300}$/

/**
 * Without a form token: its key would be of one process, while all processes with the same tables
 * send and read the form. Browsers always send the origin of a form.
 */
export function checkOrigin(
  { kernel }: Pick<CardContext, 'kernel'>,
  raw: IncomingMessage,
  baseUrl: string
): void {
  if (!kernel.isKnownHost(raw.headers.host ?? '')) throw new HostNotAllowed()
  if (raw.headers.origin !== pageOrigin(raw, baseUrl)) throw new OriginNotAllowed(ORIGIN_MESSAGE)
}

/** `Set-Cookie` of a new session. */
export async function openSession(
  access: PageAccess,
  { raw, baseUrl }: { raw: IncomingMessage; baseUrl: string },
  account: string
): Promise<string> {
  const { secret } = await access.sessions.open(account)
  const isSecure = pageOrigin(raw, baseUrl).startsWith('https:')
  return sessionCookie(access.sessions.service, secret, isSecure)
}

/** The account of the token that was pasted; throws an error that says what is wrong with it. */
export async function accountOf(
  context: CardContext,
  raw: IncomingMessage,
  input: Input
): Promise<string> {
  const token = textValue(input, 'pasted', { max: MAX_TOKEN })?.trim() ?? ''
  const identity = await identify(context, raw, [token]).catch((error: unknown) => {
    throw error instanceof TokenInvalid ? new TokenNotAccepted() : error
  })
  if (identity.viewer.kind === 'publishable') throw new PublishableKeyGiven()
  if (identity.viewer.kind !== 'member') throw new TokenNotAccepted()
  if (!mayRead(identity)) throw new ReadScopeMissing()
  return tokenAccount(identity.viewer.tokenId)
}

export function nextPath(input: Input): string {
  const next = textValue(input, 'next') ?? ''
  return LOCAL_PATH.test(next) ? next : '/'
}
