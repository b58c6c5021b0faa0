import type { InvalidField } from '../contract.ts'
import { normaliseAddress } from '../sandbox/address.ts'
import type { StoredAccount } from './account.ts'
import type { AccountInput } from './account-input.ts'
import { invalidLocale, invalidTimeZone } from './check-locale.ts'

/** Fields besides the servers, and what an account of the sandbox cannot change. */
export function checkFields(
  { email, locale, tz, ...input }: AccountInput,
  stored: StoredAccount | undefined,
  fields: InvalidField[]
): void {
  if (email !== undefined && normaliseAddress(email) === undefined) {
    fields.push({ key: 'email', message: 'must be an email address' })
  }
  fields.push(...invalidLocale('locale', locale), ...invalidTimeZone('tz', tz))
  if (!stored?.account.isSandbox) return
  const message = 'cannot be changed: the account is one of the sandbox'
  for (const key of ['imap', 'smtp', 'oauth2'] as const) {
    if (input[key] !== undefined) fields.push({ key, message })
  }
  if (email !== undefined && normaliseAddress(email) !== stored.account.email) {
    fields.push({ key: 'email', message })
  }
}
