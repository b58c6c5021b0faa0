import { type InvalidField, invalidInput } from '../contract.ts'
import type {
  AccountSecrets,
  AccountSettings,
  Egress,
  NewAccount,
  StoredAccount
} from './account.ts'
import type { AccountInput } from './account-input.ts'
import { changeOauth2 } from './change-oauth2.ts'
import { changeServer, type ServerAndSecrets } from './change-server.ts'
import { changeWebhooks } from './change-webhooks.ts'
import { checkFields } from './check-fields.ts'
import { checkReuse } from './check-reuse.ts'
import { changeWatching } from './watch-fields.ts'

export interface AccountChange {
  readonly id: string
  readonly input: AccountInput
  /** Undefined for a new account. */
  readonly stored: StoredAccount | undefined
  /** False for the token of an account. */
  readonly isOperator: boolean
  /** Whether a proxy passed the request on. */
  readonly isForwarded: boolean
}

/** What is stored after a request; throws an error with all invalid fields. */
export function changeAccount({ id, input, stored, isOperator, isForwarded }: AccountChange): {
  account: NewAccount
  secrets: AccountSecrets
} {
  const fields: InvalidField[] = []
  checkFields(input, stored, fields)
  const egress: Egress = isOperator ? 'any' : 'public'
  const { settings: before, isSandbox = false } = stored?.account ?? { settings: {} }
  const servers = changeServers(input, before, stored?.secrets ?? {}, egress, fields)
  const known = { settings: before, secrets: stored?.secrets ?? {} }
  const webhooks = changeWebhooks(input, known, { egress, isForwarded }, fields)
  const settings = compact<AccountSettings>({
    ...servers.settings,
    ...changeWatching(input, before, fields),
    ...webhooks.settings,
    copy: input.copy === undefined ? before.copy : input.copy,
    logs: input.logs ?? before.logs,
    smtpEhloName: input.smtpEhloName ?? before.smtpEhloName,
    locale: input.locale ?? before.locale,
    tz: input.tz ?? before.tz
  })
  if (stored !== undefined && !isOperator) {
    checkReuse(input, known, { settings, secrets: servers.secrets }, fields)
  }
  if (fields.length > 0) throw invalidInput(fields)
  const named = [settings.imap, settings.smtp, settings.oauth2]
  return {
    account: {
      id,
      name: input.name ?? stored?.account.name ?? '',
      email: input.email ?? stored?.account.email,
      isSandbox,
      settings,
      egress: named.some((one) => one && one.egress === 'public') ? 'public' : 'any'
    },
    secrets: compact<AccountSecrets>({ ...servers.secrets, ...webhooks.secrets })
  }
}

type ServerParts = {
  readonly [Key in 'imap' | 'smtp' | 'oauth2']: AccountSettings[Key] | undefined
}

function changeServers(
  input: AccountInput,
  before: AccountSettings,
  known: AccountSecrets,
  egress: Egress,
  fields: InvalidField[]
): { settings: ServerParts; secrets: AccountSecrets } {
  const { imapPass, imapAccessToken, smtpPass, smtpAccessToken, ...others } = known
  const { webhooksUser, webhooksHeaders, ...tokens } = others
  const imapSecrets = { pass: imapPass, accessToken: imapAccessToken }
  const smtpSecrets = { pass: smtpPass, accessToken: smtpAccessToken }
  const imap = changeServer(
    {
      key: 'imap',
      input: input.imap,
      stored: { settings: before.imap, secrets: imapSecrets },
      egress
    },
    fields
  )
  const smtp = changeServer(
    {
      key: 'smtp',
      input: input.smtp,
      stored: { settings: before.smtp, secrets: smtpSecrets },
      egress
    },
    fields
  )
  const oauth2 = changeOauth2(
    { input: input.oauth2, stored: { settings: before.oauth2, secrets: tokens }, egress },
    fields
  )
  const hasOauth2 = Boolean(oauth2.settings)
  checkSignIn('imap', imap, hasOauth2, fields)
  checkSignIn('smtp', smtp, hasOauth2, fields)
  if (input.oauth2 && !imap.settings && !smtp.settings) {
    fields.push({
      key: 'imap',
      message: 'is required with oauth2, unless smtp is set'
    })
  }
  return {
    settings: { imap: imap.settings, smtp: smtp.settings, oauth2: oauth2.settings },
    secrets: compact<AccountSecrets>({
      imapPass: imap.secrets.pass,
      imapAccessToken: imap.secrets.accessToken,
      smtpPass: smtp.secrets.pass,
      smtpAccessToken: smtp.secrets.accessToken,
      ...oauth2.secrets
    })
  }
}

/** A server without a password or token of its own signs in with those of `oauth2`. */
function checkSignIn(
  key: 'imap' | 'smtp',
  { settings, secrets }: ServerAndSecrets,
  hasOauth2: boolean,
  fields: InvalidField[]
): void {
  if (!settings || settings.auth === false || hasOauth2) return
  if (secrets.pass !== undefined || secrets.accessToken !== undefined) return
  const isNamed = settings.auth.user !== ''
  const message = isNamed
    ? 'is required without accessToken'
    : 'is required; false if the server needs no sign-in'
  fields.push({ key: isNamed ? `${key}.auth.pass` : `${key}.auth`, message })
}

/** Without undefined values, at any depth, so that it equals what is read from the tables. */
function compact<T extends object>(value: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return JSON.parse(JSON.stringify(value))
}
