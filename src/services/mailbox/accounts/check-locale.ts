import type { InvalidField } from '../contract.ts'

/** Adds nothing for a value that was not sent. */
export function invalidLocale(key: string, locale: string | undefined): InvalidField[] {
  if (locale === undefined || isAccepted(() => Intl.getCanonicalLocales(locale))) return []
  return [{ key, message: 'must be a language tag such as en or de-CH' }]
}

export function invalidTimeZone(key: string, timeZone: string | undefined): InvalidField[] {
  if (timeZone === undefined) return []
  if (isAccepted(() => new Intl.DateTimeFormat('en', { timeZone }))) return []
  return [{ key, message: 'must be the name of a time zone such as Europe/Tallinn' }]
}

function isAccepted(use: () => object): boolean {
  try {
    use()
    return true
  } catch {
    return false
  }
}
