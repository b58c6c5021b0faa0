import { setTimeout as wait } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Kernel } from '../../../kernel/service.ts'
import type { Account, AccountError } from '../accounts/account.ts'
import { TokenError } from '../accounts/oauth2/token-error.ts'
import type { MailServer, SignIn } from '../accounts/servers.ts'
import type { SettingStore } from '../control/setting-store.ts'
import type { ConnectionLog } from './account-logs.ts'
import { describeConnectError } from './describe-error.ts'
import { createImapClient, type Endpoint } from './imap-client.ts'
import { createLoginLimiter } from './login-limiter.ts'
import { redact } from './redact.ts'

/** From the look-up of the host to the end of the sign-in. */
const CONNECT_BUDGET_MS = 30_000
const LOOKUP_TIMEOUT_MS = 10_000

/** A connection could not be opened; the account has this state until another attempt. */
export class ConnectError extends Error {
  override name = 'ConnectError'
  readonly state: 'authenticationError' | 'connectError'
  readonly error: AccountError
  constructor(state: 'authenticationError' | 'connectError', error: AccountError) {
    super(error.response)
    this.state = state
    this.error = error
  }
}

export interface ConnectOptions {
  readonly account: Account
  readonly server: MailServer
  readonly signal: AbortSignal
  readonly log: ConnectionLog | undefined
  /** For a connection that waits for changes: called with the beginning of each line. */
  readonly onLine?: ((line: string) => void) | undefined
}

interface Attempt extends ConnectOptions {
  /** Passwords and tokens that were used. */
  readonly secrets: string[]
}

/** Opens a connection and signs in; a rejected access token is replaced by another one, once. */
export type Connect = (options: ConnectOptions) => Promise<ImapFlow>

export function createConnect(
  kernel: Pick<Kernel, 'outbound' | 'version'>,
  settings: Pick<SettingStore, 'read'>
): Connect {
  const loginDelay = createLoginLimiter()

  async function findEndpoint({ server, signal }: Attempt): Promise<Endpoint> {
    const { host, port, egress } = server
    const options = { policy: egress, timeoutMs: LOOKUP_TIMEOUT_MS, signal }
    const { address, servername, lookup } = await kernel.outbound.check(host, port, options)
    return { host: servername ?? address, servername, lookup }
  }

  /** Waits until the limit of sign-ins to the host allows another one; the sandbox has no limit. */
  async function waitForTurn({ server, signal }: Attempt, { host }: Endpoint): Promise<void> {
    if (server.egress === 'own') return
    const delay = loginDelay(host, CONNECT_BUDGET_MS)
    if (delay === undefined) {
      throw new ConnectError('connectError', { response: 'Too many sign-ins to the mail server' })
    }
    if (delay > 0) await wait(delay, undefined, { signal })
  }

  async function createClient(attempt: Attempt, endpoint: Endpoint, signIn: SignIn | undefined) {
    const { account, server, log, onLine } = attempt
    const { imap } = account.settings
    const { ignoreMailCertErrors } = await settings.read()
    const client = await createImapClient({
      server: ignoreMailCertErrors
        ? { ...server, tls: { ...server.tls, rejectUnauthorized: false } }
        : server,
      endpoint,
      signIn,
      log: log?.write,
      clientVersion: kernel.version,
      disableIMAP4rev2: imap ? imap.disableIMAP4rev2 : undefined,
      onLine
    })
    return client.on('error', () => {})
  }

  async function open(attempt: Attempt, signIn: SignIn | undefined): Promise<ImapFlow> {
    const { signal, log, secrets } = attempt
    if (signIn !== undefined) {
      const secret = 'pass' in signIn ? signIn.pass : signIn.accessToken
      secrets.push(secret)
      log?.hide(secret)
    }
    const endpoint = await findEndpoint(attempt)
    await waitForTurn(attempt, endpoint)
    const client = await createClient(attempt, endpoint, signIn)
    const close = () => client.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      signal.throwIfAborted()
      await client.connect()
      return client
    } catch (error) {
      client.close()
      throw error
    } finally {
      signal.removeEventListener('abort', close)
    }
  }

  async function signInAndOpen(attempt: Attempt): Promise<ImapFlow> {
    const { server } = attempt
    const first = await server.signIn()
    try {
      return await open(attempt, first)
    } catch (error) {
      if (first === undefined || !('accessToken' in first) || !isSignInRejected(error)) throw error
      const second = await server.signIn(first.accessToken).catch((reason: unknown) => {
        // No other token can be requested, so the error of the mail server is the reason.
        if (reason instanceof TokenError && reason.accountError.tokenRequest === undefined)
          throw error
        throw reason
      })
      const isNew = second !== undefined && 'accessToken' in second
      if (!isNew || second.accessToken === first.accessToken) throw error
      return await open(attempt, second)
    }
  }

  return async (options) => {
    const budget = AbortSignal.timeout(CONNECT_BUDGET_MS)
    const secrets: string[] = []
    const signal = AbortSignal.any([options.signal, budget])
    try {
      return await signInAndOpen({ ...options, signal, secrets })
    } catch (error) {
      if (error instanceof ConnectError) throw error
      if (budget.aborted) {
        const response = 'The mail server did not respond in time'
        throw new ConnectError('connectError', { response, serverResponseCode: 'TIMEOUT' })
      }
      const problem = describeConnectError(error, options.server.egress !== 'public')
      if (problem === undefined) throw error
      throw new ConnectError(problem.state, withoutSecrets(problem.error, secrets))
    }
  }
}

function isSignInRejected(error: unknown): boolean {
  return describeConnectError(error, false)?.state === 'authenticationError'
}

/** Servers may repeat what they were sent. */
function withoutSecrets(error: AccountError, secrets: readonly string[]): AccountError {
  const { response, description } = error
  return {
    ...error,
    response: redact(response, secrets),
    ...(description !== undefined && { description: redact(description, secrets) })
  }
}
