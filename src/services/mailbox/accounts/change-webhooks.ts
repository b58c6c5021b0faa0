import type { InvalidField } from '../contract.ts'
import { headerProblems } from '../webhooks/custom-headers.ts'
import { maskUrl, splitUser, urlProblem } from '../webhooks/receiver-url.ts'
import type { AccountSecrets, AccountSettings, WebhookOrigin } from './account.ts'
import type { AccountInput } from './account-input.ts'
import type { SettingsAndSecrets } from './check-reuse.ts'

interface WebhookSettings {
  readonly settings: {
    readonly [Key in 'webhooks' | 'webhooksOrigin' | 'webhooksHeadersEgress']:
      | AccountSettings[Key]
      | undefined
  }
  readonly secrets: {
    readonly [Key in 'webhooksUser' | 'webhooksHeaders']: AccountSecrets[Key] | undefined
  }
}

/** The account's own receiver of events after a request; adds to `fields` what is wrong. */
export function changeWebhooks(
  input: AccountInput,
  stored: SettingsAndSecrets,
  origin: WebhookOrigin,
  fields: InvalidField[]
): WebhookSettings {
  const before = webhooksOf(stored)
  const receiver = changeUrl(input.webhooks, before, origin, fields)
  const headers = changeHeaders(input.webhooksCustomHeaders, before, origin, fields)
  const isOther = receiver.settings.webhooks !== before.settings.webhooks
  const isKept = input.webhooksCustomHeaders === undefined && headers.secrets.webhooksHeaders
  if (isOther && isKept && origin.egress === 'public' && receiver.settings.webhooks) {
    // A token of the account never reads the stored values, so it must not choose who gets them.
    const message = 'cannot be changed without sending webhooksCustomHeaders again'
    fields.push({ key: 'webhooks', message })
  }
  return {
    settings: { ...receiver.settings, ...headers.settings },
    secrets: { ...receiver.secrets, ...headers.secrets }
  }
}

function webhooksOf({ settings, secrets }: SettingsAndSecrets): WebhookSettings {
  const { webhooks, webhooksOrigin, webhooksHeadersEgress } = settings
  const { webhooksUser, webhooksHeaders } = secrets
  return {
    settings: { webhooks, webhooksOrigin, webhooksHeadersEgress },
    secrets: { webhooksUser, webhooksHeaders }
  }
}

function changeUrl(
  sent: string | null | undefined,
  { settings, secrets }: WebhookSettings,
  origin: WebhookOrigin,
  fields: InvalidField[]
) {
  const { webhooks, webhooksOrigin } = settings
  const { webhooksUser } = secrets
  const known = { settings: { webhooks, webhooksOrigin }, secrets: { webhooksUser } }
  if (sent === undefined) return known
  if (sent === null || sent === '') {
    return {
      settings: { webhooks: undefined, webhooksOrigin: undefined },
      secrets: { webhooksUser: undefined }
    }
  }
  const message = urlProblem(sent)
  if (message !== undefined) {
    fields.push({ key: 'webhooks', message })
    return known
  }
  const { user } = splitUser(sent)
  const shown = maskUrl(sent)
  // A URL that an operator named keeps its policy if the token of the account sends it again.
  const isKept = shown === webhooks && origin.egress === 'public' && webhooksOrigin !== undefined
  return {
    settings: { webhooks: shown, webhooksOrigin: isKept ? webhooksOrigin : origin },
    secrets: { webhooksUser: user }
  }
}

function changeHeaders(
  sent: AccountInput['webhooksCustomHeaders'],
  { settings: { webhooksHeadersEgress }, secrets: { webhooksHeaders } }: WebhookSettings,
  { egress }: WebhookOrigin,
  fields: InvalidField[]
) {
  if (sent === undefined)
    return { settings: { webhooksHeadersEgress }, secrets: { webhooksHeaders } }
  fields.push(...headerProblems('webhooksCustomHeaders', sent))
  if (sent.length === 0) {
    return {
      settings: { webhooksHeadersEgress: undefined },
      secrets: { webhooksHeaders: undefined }
    }
  }
  return { settings: { webhooksHeadersEgress: egress }, secrets: { webhooksHeaders: sent } }
}
