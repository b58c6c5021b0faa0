import { invalidLocale, invalidTimeZone } from '../accounts/check-locale.ts'
import type { ApiRequest } from '../api/route.ts'
import type { SettingName } from '../api/schemas/settings.ts'
import type { MailboxContext } from '../context.ts'
import { type InvalidField, invalidInput } from '../contract.ts'
import type { SettingValues } from './setting-store.ts'

type ReadQuery = Readonly<Partial<Record<SettingName, boolean>>>
type Changes = Readonly<Partial<Record<SettingName, unknown>>>

/** The settings that the query names; a secret only as whether it is set. */
export async function readSettings(
  { settings }: MailboxContext,
  { query }: ApiRequest<ReadQuery>
): Promise<object> {
  const values = await (await settings()).read()
  const names = (Object.keys(query) as SettingName[]).filter((name) => query[name])
  return Object.fromEntries(names.map((name) => [name, shown(values, name)]))
}

function shown(values: SettingValues, name: SettingName): unknown {
  return name === 'serviceSecret' ? values.serviceSecret !== '' : (values[name] ?? null)
}

export async function changeSettings(
  { settings }: MailboxContext,
  { body }: ApiRequest<unknown, Changes>
): Promise<object> {
  const fields = Object.entries(body).flatMap(([key, value]) => problemOf(key, value))
  if (fields.length > 0) throw invalidInput(fields)
  const changed = Object.entries(body).map(([name, value]) => [name, value ?? undefined])
  await (await settings()).change(Object.fromEntries(changed))
  return { updated: Object.keys(body) }
}

function problemOf(key: string, value: unknown): InvalidField[] {
  if (typeof value !== 'string') return []
  if (key === 'locale') return invalidLocale(key, value)
  if (key === 'timezone') return invalidTimeZone(key, value)
  if (key !== 'serviceUrl' || isServiceUrl(value)) return []
  return [{ key, message: 'must be an http or https URL without a user name' }]
}

function isServiceUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return false
  return url.protocol === 'http:' || url.protocol === 'https:'
}
