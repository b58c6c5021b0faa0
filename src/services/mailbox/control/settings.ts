import { invalidLocale, invalidTimeZone } from '../accounts/check-locale.ts'
import type { ApiRequest } from '../api/route.ts'
import type { SettingName } from '../api/schemas/settings.ts'
import type { MailboxContext } from '../context.ts'
import { type InvalidField, invalidInput } from '../contract.ts'
import { EVENT_NAMES } from '../events/event-names.ts'
import { readWebhookError, SETTINGS_RECEIVER, type WebhookError } from '../store/webhook-errors.ts'
import { headerProblems, maskHeaders } from '../webhooks/custom-headers.ts'
import { hastenDeliveries } from '../webhooks/hasten.ts'
import { BLOCKED_MESSAGE, maskUrl, splitUser, urlProblem } from '../webhooks/receiver-url.ts'
import type { SettingValues } from './setting-store.ts'

type ReadName = SettingName | 'eventTypes' | 'webhookErrorFlag'
type ReadQuery = Readonly<Partial<Record<ReadName, boolean>>>
type Changes = Readonly<Partial<Record<SettingName, unknown>>>

/** The settings that the query names; a secret only as whether it is set. */
export async function readSettings(
  { settings, kernel }: MailboxContext,
  { query }: ApiRequest<ReadQuery>
): Promise<object> {
  const values = await (await settings()).read()
  const names = (Object.keys(query) as ReadName[]).filter((name) => query[name])
  const error = names.includes('webhookErrorFlag')
    ? await kernel.database.read(() => readWebhookError(SETTINGS_RECEIVER))
    : undefined
  return Object.fromEntries(names.map((name) => [name, shown({ ...values, error }, name)]))
}

function shown(
  values: SettingValues & { readonly error: WebhookError | undefined },
  name: ReadName
): unknown {
  if (name === 'eventTypes') return EVENT_NAMES
  if (name === 'serviceSecret') return values.serviceSecret !== ''
  if (name === 'webhooksEnabled') return values.webhooksEnabled ?? false
  if (name === 'webhookErrorFlag') return values.error ?? null
  if (name === 'webhooks') return values.webhooks === undefined ? null : maskUrl(values.webhooks)
  if (name === 'webhooksCustomHeaders') return maskHeaders(values.webhooksCustomHeaders)
  return values[name] ?? null
}

export async function changeSettings(
  context: MailboxContext,
  { body }: ApiRequest<unknown, Changes>
): Promise<object> {
  const { kernel, settings } = context
  const fields = Object.entries(body).flatMap(([key, value]) => problemOf(kernel, key, value))
  if (fields.length > 0) throw invalidInput(fields)
  const changed = Object.entries(body).map(([name, value]) => [name, stored(name, value)])
  await (await settings()).change(Object.fromEntries(changed))
  await hastenDeliveries(context, body)
  // Whether accounts of the sandbox are watched depends on the settings.
  context.watch.wake()
  return { updated: Object.keys(body) }
}

/** Undefined restores the default. Names of header fields are compared in lower case. */
function stored(name: string, value: unknown): unknown {
  if (isRemoved(name, value)) return undefined
  const isHeaders = name === 'notifyHeaders' && Array.isArray(value)
  return isHeaders ? value.map((one) => String(one).toLowerCase()) : value
}

/** EmailEngine removes a URL with an empty text. */
function isRemoved(name: string, value: unknown): boolean {
  return value === null || value === undefined || (name === 'webhooks' && value === '')
}

function problemOf(
  kernel: MailboxContext['kernel'],
  key: string,
  value: unknown
): readonly InvalidField[] {
  if (key === 'webhooksCustomHeaders' && Array.isArray(value)) return headerProblems(key, value)
  if (typeof value !== 'string' || isRemoved(key, value)) return []
  if (key === 'webhooks') return invalidReceiver(kernel, key, value)
  if (key === 'locale') return invalidLocale(key, value)
  if (key === 'timezone') return invalidTimeZone(key, value)
  if (key !== 'serviceUrl' || isServiceUrl(value)) return []
  return [{ key, message: 'must be an http or https URL without a user name' }]
}

function invalidReceiver(
  { outbound }: MailboxContext['kernel'],
  key: string,
  text: string
): readonly InvalidField[] {
  const message = urlProblem(text)
  if (message !== undefined) return [{ key, message }]
  const isBlocked = outbound.isBlocked(splitUser(text).url, { egress: 'any' })
  return isBlocked ? [{ key, message: BLOCKED_MESSAGE }] : []
}

function isServiceUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return false
  return url.protocol === 'http:' || url.protocol === 'https:'
}
