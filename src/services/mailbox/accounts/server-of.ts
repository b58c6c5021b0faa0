import type { MailboxContext } from '../context.ts'
import type { Account, AccountStore } from './account.ts'
import { egressOf } from './egress.ts'
import { createAccessTokens } from './oauth2/access-tokens.ts'
import { TokenError } from './oauth2/token-error.ts'
import type { MailServer, SignIn } from './servers.ts'

type Protocol = 'imap' | 'smtp'

/** Undefined if the account has no such server, or if that of the sandbox does not listen yet. */
export function createServerOf(
  { kernel, store, options }: Pick<MailboxContext, 'kernel' | 'store' | 'options'>,
  accounts: Pick<AccountStore, 'find' | 'readSecrets' | 'saveTokens'>
): (account: Account, protocol: Protocol) => MailServer | undefined {
  const findAccessToken = createAccessTokens(kernel, options, accounts)

  function sandboxServer({ id, email = '' }: Account, protocol: Protocol) {
    const address = kernel.listenerAddress(protocol)
    if (address === undefined) return undefined
    const signIn = async () => ({ user: email, pass: (await store.readPassword(id)) ?? '' })
    const tls = { rejectUnauthorized: false }
    return { ...address, secure: false, tls, egress: 'own' as const, signIn }
  }

  /** Credentials of the server itself come before the OAuth2 settings of the account. */
  async function signIn(
    account: Account,
    protocol: Protocol,
    user: string,
    rejected?: string
  ): Promise<SignIn> {
    const secrets = await accounts.readSecrets(account.id)
    const isImap = protocol === 'imap'
    const pass = isImap ? secrets.imapPass : secrets.smtpPass
    if (pass !== undefined) return { user, pass }
    const accessToken = isImap ? secrets.imapAccessToken : secrets.smtpAccessToken
    if (accessToken !== undefined) {
      if (accessToken === rejected) throw rejectedToken()
      return { user, accessToken }
    }
    const { oauth2 } = account.settings
    if (!oauth2) throw new TokenError('The account has no password', { isTemporary: false })
    return { user: oauth2.auth.user, accessToken: await findAccessToken(account, rejected) }
  }

  return (account, protocol) => {
    if (account.isSandbox) return sandboxServer(account, protocol)
    const server = account.settings[protocol]
    if (server === undefined || server === false) return undefined
    const { auth, ...settings } = server
    return {
      ...settings,
      egress: egressOf(options, server.egress ?? account.egress),
      signIn: async (rejected) =>
        auth === false ? undefined : signIn(account, protocol, auth.user, rejected)
    }
  }
}

function rejectedToken(): TokenError {
  const message = 'The mail server rejected the access token; store another one'
  return new TokenError(message, { isTemporary: false })
}
