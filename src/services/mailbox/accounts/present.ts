/** Accounts as responses show them: secrets are masked, what is not set is left out. */
import { MASK } from '../api/schemas/parts.ts'
import type { WebhookError } from '../store/webhook-errors.ts'
import { maskHeaders } from '../webhooks/custom-headers.ts'
import type {
  Account,
  AccountSecrets,
  ImapIndexer,
  Oauth2Settings,
  ServerSettings
} from './account.ts'
import { hasImap } from './has-imap.ts'
import { ALL_PATHS } from './watch-fields.ts'

export type AccountType = 'imap' | 'oauth2' | 'sending' | 'invalid'

export function typeOf(account: Account): AccountType {
  const { settings } = account
  if (settings.oauth2) return 'oauth2'
  if (hasImap(account)) return 'imap'
  if (settings.smtp) return 'sending'
  return settings.imap ? 'imap' : 'invalid'
}

/** Servers of the sandbox are not among the settings of its accounts. */
export interface SandboxServers {
  readonly imap: ServerSettings
  readonly smtp: ServerSettings
}

export interface ShownAccount {
  readonly account: Account
  readonly secrets: AccountSecrets
  readonly sandboxServers: SandboxServers | undefined
  readonly events: Readonly<Record<string, number>> | undefined
  /** Of the settings, for accounts without their own. */
  readonly imapIndexer: ImapIndexer
  /** Open ones of this process. */
  readonly connections: number
  /** The last error of the account's own receiver. */
  readonly webhookError: WebhookError | undefined
}

export function presentAccount({
  account,
  secrets,
  sandboxServers,
  events,
  imapIndexer,
  connections,
  webhookError
}: ShownAccount): object {
  const { settings } = account
  const { imap, smtp, oauth2, copy, logs, smtpEhloName, locale, tz, webhooks } = settings
  const { imapPass, imapAccessToken, smtpPass, smtpAccessToken } = secrets
  const ofSandbox = { pass: MASK, accessToken: undefined }
  const isSendOnly = !hasImap(account) && Boolean(smtp)
  return {
    account: account.id,
    name: account.name,
    email: account.email,
    copy,
    logs: logs ?? false,
    notifyFrom: settings.notifyFrom ?? timeOf(account.createdAt),
    path: settings.path ?? [ALL_PATHS],
    imapIndexer: settings.imapIndexer ?? imapIndexer,
    subconnections: settings.subconnections ?? [],
    webhooks,
    webhooksCustomHeaders: secrets.webhooksHeaders && maskHeaders(secrets.webhooksHeaders),
    webhookErrorFlag: webhookError,
    smtpEhloName,
    imap: sandboxServers
      ? presentServer(sandboxServers.imap, ofSandbox)
      : presentServer(imap, { pass: imapPass, accessToken: imapAccessToken }),
    smtp: sandboxServers
      ? presentServer(sandboxServers.smtp, ofSandbox)
      : presentServer(smtp, { pass: smtpPass, accessToken: smtpAccessToken }),
    oauth2: presentOauth2(oauth2, secrets),
    state: account.state,
    smtpStatus: account.smtpStatus ?? null,
    connections,
    ...(isSendOnly && { sendOnly: true }),
    locale,
    tz,
    type: typeOf(account),
    counters: { events: events ?? {} },
    syncTime: timeOf(account.syncTime),
    lastError: account.lastError ?? null
  }
}

/** An entry of a list. */
export function presentEntry(
  account: Account,
  events: Readonly<Record<string, number>> | undefined
): object {
  return {
    account: account.id,
    name: account.name,
    email: account.email,
    type: typeOf(account),
    state: account.state,
    webhooks: account.settings.webhooks,
    smtpEhloName: account.settings.smtpEhloName,
    counters: { events: events ?? {} },
    syncTime: timeOf(account.syncTime),
    lastError: account.lastError ?? null
  }
}

function presentServer(
  server: ServerSettings | false | undefined,
  { pass, accessToken }: { pass: string | undefined; accessToken: string | undefined }
): object | false | undefined {
  if (!server) return server
  const { auth, egress, ...settings } = server
  if (auth === false) return { auth, ...settings }
  const { user } = auth
  const masks = {
    ...(pass !== undefined && { pass: MASK }),
    ...(accessToken !== undefined && { accessToken: MASK })
  }
  return { ...(user !== '' && { auth: { user, ...masks } }), ...settings }
}

function presentOauth2(
  oauth2: Oauth2Settings | false | undefined,
  { accessToken, refreshToken, clientSecret }: AccountSecrets
): object | false | undefined {
  if (!oauth2) return oauth2
  const { egress, ...settings } = oauth2
  return {
    ...settings,
    ...(accessToken !== undefined && { accessToken: MASK }),
    ...(refreshToken !== undefined && { refreshToken: MASK }),
    ...(clientSecret !== undefined && { clientSecret: MASK })
  }
}

function timeOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}
