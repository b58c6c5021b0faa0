import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kernel } from '../../../../kernel/service.ts'
import type { MailboxOptions } from '../../settings.ts'
import { claimRefresh, releaseRefresh } from '../../store/token-refreshes.ts'
import type { Account, AccountSecrets, AccountStore, Oauth2Settings } from '../account.ts'
import { egressOf } from '../egress.ts'
import { REQUEST_TIMEOUT_MS, requestTokens } from './request-tokens.ts'
import { TokenError } from './token-error.ts'

/** A token that expires sooner is refreshed before it is used. */
const EXPIRY_MARGIN_MS = 60_000
/** Longer than both requests of a refresh and the commit can take. */
const LEASE_MS = 3 * REQUEST_TIMEOUT_MS
const POLL_MS = 100
/** For so long an error is thrown again without another request. */
const ERROR_MS = 10_000
const MAX_ERRORS = 1000

/** The access token of an account; `rejected` is the one that a mail server has just rejected. */
export type FindAccessToken = (account: Account, rejected?: string) => Promise<string>

interface Oauth2Account {
  readonly account: Account
  readonly oauth2: Oauth2Settings
  readonly secrets: AccountSecrets
}

/**
 * One refresh at a time per account, over all processes: a server that rotates refresh tokens
 * treats the second use of one as theft. New tokens are stored before they are used.
 */
export function createAccessTokens(
  kernel: Pick<Kernel, 'database' | 'outbound' | 'now'>,
  options: Pick<MailboxOptions, 'mailEgress'>,
  accounts: Pick<AccountStore, 'find' | 'readSecrets' | 'saveTokens'>
): FindAccessToken {
  const running = new Map<string, Promise<string>>()
  const errors = new Map<string, { revision: number; until: number; error: TokenError }>()
  const now = () => kernel.now().getTime()

  async function read(id: string): Promise<Oauth2Account> {
    const account = await accounts.find(id)
    const oauth2 = account?.settings.oauth2
    if (account === undefined || oauth2 === undefined || oauth2 === false) {
      throw new TokenError('The account has no OAuth2 settings', { isTemporary: false })
    }
    return { account, oauth2, secrets: await accounts.readSecrets(id) }
  }

  function usableToken({ oauth2, secrets }: Oauth2Account, rejected?: string): string | undefined {
    const { accessToken } = secrets
    if (accessToken === undefined || accessToken === rejected) return undefined
    const { expires } = oauth2
    const isOld = expires !== undefined && Date.parse(expires) - EXPIRY_MARGIN_MS <= now()
    // Without a way to refresh it, the mail server decides whether it is still valid.
    return isOld && canRefresh(oauth2, secrets) ? undefined : accessToken
  }

  async function refresh(id: string, rejected?: string): Promise<string> {
    const holder = randomUUID()
    const deadline = now() + LEASE_MS
    for (;;) {
      const time = now()
      const lease = { now: time, until: time + LEASE_MS }
      if (await kernel.database.write(() => claimRefresh(id, holder, lease))) break
      if (time > deadline) {
        throw new TokenError('Another process is refreshing the access token', {
          isTemporary: true
        })
      }
      await wait(POLL_MS)
      const token = usableToken(await read(id), rejected)
      if (token !== undefined) return token
    }
    try {
      return await refreshAlone(id, rejected)
    } finally {
      await kernel.database.write(() => releaseRefresh(id, holder))
    }
  }

  async function refreshAlone(id: string, rejected?: string): Promise<string> {
    const stored = await read(id)
    // Another process may have refreshed it since.
    const token = usableToken(stored, rejected)
    if (token !== undefined) return token
    const { tokenUrl, clientId, scopes, egress = stored.account.egress } = stored.oauth2
    const { refreshToken, clientSecret } = stored.secrets
    if (tokenUrl === undefined || refreshToken === undefined) throw withoutRefresh(stored)
    const isPublic = egressOf(options, egress) === 'public'
    const grant = { tokenUrl, isPublic, clientId, clientSecret, refreshToken, scopes }
    const tokens = await requestTokens(kernel.outbound, grant)
    const { accessToken, refreshToken: next, expiresInMs } = tokens
    const saved = {
      accessToken,
      ...(next !== undefined && { refreshToken: next }),
      ...(expiresInMs !== undefined && { expires: new Date(now() + expiresInMs).toISOString() })
    }
    let current = stored
    while (!(await accounts.saveTokens(id, current.account.revision, saved))) {
      current = await read(id)
      // Other fields of the account may change meanwhile; with another refresh token the client
      // has signed in anew.
      if (current.secrets.refreshToken !== refreshToken) return refreshAlone(id, rejected)
    }
    return accessToken
  }

  async function refreshOnce({ id, revision }: Account, rejected?: string): Promise<string> {
    const known = errors.get(id)
    if (known !== undefined && known.revision === revision && now() < known.until) throw known.error
    errors.delete(id)
    try {
      return await refresh(id, rejected)
    } catch (error) {
      if (error instanceof TokenError) {
        const [oldest = id] = errors.keys()
        if (errors.size >= MAX_ERRORS) errors.delete(oldest)
        errors.set(id, { revision, until: now() + ERROR_MS, error })
      }
      throw error
    }
  }

  return async ({ id }, rejected) => {
    const stored = await read(id)
    const token = usableToken(stored, rejected)
    if (token !== undefined) return token
    if (!canRefresh(stored.oauth2, stored.secrets)) throw withoutRefresh(stored)
    const started = running.get(id) ?? refreshOnce(stored.account, rejected)
    running.set(id, started)
    try {
      return await started
    } finally {
      if (running.get(id) === started) running.delete(id)
    }
  }
}

function canRefresh({ tokenUrl }: Oauth2Settings, { refreshToken }: AccountSecrets): boolean {
  return tokenUrl !== undefined && refreshToken !== undefined
}

function withoutRefresh({ secrets }: Oauth2Account): TokenError {
  const problem =
    secrets.accessToken === undefined
      ? 'The account has no access token'
      : 'The mail server rejected the access token'
  const message = `${problem}, and no refreshToken with a tokenUrl to get another one`
  return new TokenError(message, { isTemporary: false })
}
