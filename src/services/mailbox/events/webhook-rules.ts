import { memberOf } from '../../../kernel/json.ts'
import type { SettingRow } from '../store/settings.ts'
import type { EventName } from './event-names.ts'

/** Settings that decide which events are sent, as they are stored. */
export const RULE_SETTINGS = [
  'inboxNewOnly',
  'serviceUrl',
  'webhookEvents',
  'webhooks',
  'webhooksEnabled'
] as const

export const ALL_EVENTS = '*'
const INBOX = 'INBOX'

export interface WebhookRules {
  /** Undefined, if it was never set: only accounts with a receiver of their own. */
  readonly isEnabled: boolean | undefined
  readonly hasReceiver: boolean
  /** Names of events, or `*`. */
  readonly names: readonly string[]
  readonly inboxNewOnly: boolean
  readonly serviceUrl: string | null
}

export function webhookRulesOf(rows: readonly SettingRow[]): WebhookRules {
  const stored = new Map(rows.map((row) => [row.name, row]))
  const read = (name: (typeof RULE_SETTINGS)[number]): unknown =>
    JSON.parse(stored.get(name)?.value ?? 'null')
  const isEnabled = read('webhooksEnabled')
  const names = read('webhookEvents')
  const serviceUrl = read('serviceUrl')
  return {
    isEnabled: typeof isEnabled === 'boolean' ? isEnabled : undefined,
    // The URL may be sealed, because it may have a password.
    hasReceiver: read('webhooks') !== null || (stored.get('webhooks')?.secret ?? null) !== null,
    names: Array.isArray(names) ? names.map(String) : [ALL_EVENTS],
    inboxNewOnly: read('inboxNewOnly') === true,
    serviceUrl: typeof serviceUrl === 'string' ? serviceUrl : null
  }
}

/** Whether the settings of an account, as JSON, name a receiver. */
export function hasOwnReceiver(settings: string): boolean {
  const url = memberOf(JSON.parse(settings), 'webhooks')
  return typeof url === 'string' && url !== ''
}

/** Whether there is a receiver for events of an account. */
export function hasReceiver(
  { isEnabled, hasReceiver: hasDefault }: Pick<WebhookRules, 'isEnabled' | 'hasReceiver'>,
  hasOwn: boolean
): boolean {
  return isEnabled === undefined ? hasOwn : isEnabled && (hasOwn || hasDefault)
}

interface SentEvent {
  readonly name: EventName
  readonly path?: string | undefined
  readonly specialUse?: string | undefined
  readonly data?: object
}

/** Whether an event is sent to the receiver of its account, if there is one. */
export function isWanted(
  { names, inboxNewOnly }: Pick<WebhookRules, 'names' | 'inboxNewOnly'>,
  { name, path, specialUse, data }: SentEvent
): boolean {
  if (!names.includes(ALL_EVENTS) && !names.includes(name)) return false
  if (!inboxNewOnly || name !== 'messageNew') return true
  // On Gmail messages of the inbox are in "All Mail".
  const uses: unknown[] = [specialUse, data && Reflect.get(data, 'messageSpecialUse')]
  return path?.toUpperCase() === INBOX || uses.includes('\\Inbox')
}
