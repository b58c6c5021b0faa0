import type { AccountSecrets, AccountSettings, Egress } from '../accounts/account.ts'
import type { SettingValues } from '../control/setting-store.ts'
import type { CustomHeader } from './custom-headers.ts'
import { splitUser } from './receiver-url.ts'

/** Where the events of an account are delivered. */
export interface Receiver {
  /** Whether it is the account's own, not the one of the settings. */
  readonly isOwn: boolean
  readonly url: string
  /** `name:password` for Basic authentication. */
  readonly user: string | undefined
  readonly headers: readonly CustomHeader[]
  readonly egress: Egress
  /** Whether a proxy passed on the request that named the URL. */
  readonly isForwarded: boolean
}

type ReceiverSettings = Pick<SettingValues, 'webhooks' | 'webhooksCustomHeaders'>

/** Of an account; both are empty if it was removed. */
export interface AccountReceiver {
  readonly settings: AccountSettings
  readonly secrets: AccountSecrets
}

/**
 * The account's own receiver, otherwise that of the settings. Headers of operators may have secrets,
 * so they are not sent to a URL that the token of an account named; and headers of such a token are
 * not sent to a URL that an operator named, where they could pass for those of an operator.
 */
export function chooseReceiver(
  { webhooks, webhooksCustomHeaders }: ReceiverSettings,
  { settings, secrets }: AccountReceiver
): Receiver | undefined {
  const ownHeaders = secrets.webhooksHeaders ?? []
  const isTrusted = settings.webhooksHeadersEgress === 'any'
  const toOperator = isTrusted ? [...webhooksCustomHeaders, ...ownHeaders] : webhooksCustomHeaders
  if (settings.webhooks !== undefined) {
    const { egress = 'public', isForwarded = true } = settings.webhooksOrigin ?? {}
    return {
      isOwn: true,
      url: splitUser(settings.webhooks).url,
      user: secrets.webhooksUser,
      headers: egress === 'any' ? toOperator : ownHeaders,
      egress,
      isForwarded
    }
  }
  if (webhooks === undefined) return undefined
  return {
    isOwn: false,
    ...splitUser(webhooks),
    headers: toOperator,
    egress: 'any',
    isForwarded: false
  }
}
