import { mayUse } from '../api/access.ts'
import type { Caller } from '../api/caller.ts'
import { AccountNotFound, invalidInput } from '../contract.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import { ALL_EVENTS } from './webhook-rules.ts'

/** Of the accounts of a token, those that a client reads; undefined for all. */
export type SelectAccounts = (
  accounts: readonly string[] | undefined
) => readonly string[] | undefined

/** Ids of the accounts whose events are read; undefined for all. */
export function accountsToRead(
  caller: Caller,
  wanted: string | undefined
): readonly string[] | undefined {
  if (wanted === undefined) return caller.accounts
  if (!mayUse(caller, wanted)) throw new AccountNotFound()
  return [wanted]
}

/** Names of events, also separated by commas; undefined for all. */
export function namesToRead(
  key: string,
  sent: readonly string[] | undefined
): readonly EventName[] | undefined {
  if (sent === undefined) return undefined
  const names = [...new Set(sent.flatMap((text) => text.split(',')).map((name) => name.trim()))]
  if (names.includes(ALL_EVENTS)) return undefined
  const known = names.filter((name) => isEventName(name))
  if (known.length === names.length) return known
  const message = `must be ${ALL_EVENTS} or names of events: ${EVENT_NAMES.join(', ')}`
  throw invalidInput([{ key, message }])
}

function isEventName(name: string): name is EventName {
  return EVENT_NAMES.some((one) => one === name)
}
