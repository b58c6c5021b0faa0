/** States of accounts as topics: readers of `/v1/changes` get each of them; they are not stored. */
import { notify, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AccountState } from '../accounts/account.ts'

const PREFIX = 'state:'
/** Topics between processes are short. */
const MAX_ERROR_LENGTH = 500

export interface StateChanged {
  readonly account: string
  readonly state: AccountState
  /** Of the server or the network. */
  readonly error?: { readonly response: string; readonly serverResponseCode?: string } | undefined
}

/** `time` makes topics differ: the same one again would be left out. */
export function* notifyState(change: StateChanged, time: number): Transaction<void> {
  const { account, state, error } = change
  const { response = '', serverResponseCode } = error ?? {}
  const cut = error && { response: response.slice(0, MAX_ERROR_LENGTH), serverResponseCode }
  const json = JSON.stringify({ account, state, error: cut, time })
  yield* notify(`${PREFIX}${Buffer.from(json).toString('base64url')}`)
}

/** Undefined for topics of other kinds. */
export function stateOfTopic(topic: string): StateChanged | undefined {
  if (!topic.startsWith(PREFIX)) return undefined
  return JSON.parse(Buffer.from(topic.slice(PREFIX.length), 'base64url').toString())
}
