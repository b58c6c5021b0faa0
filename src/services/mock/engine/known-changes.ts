import type { Json } from '../document/json.ts'
import { type Diagnostic, MAX_TEXT_BYTES, type Outgoing } from '../message.ts'
import type { ResponseModel } from '../model/api.ts'
import type { Mocked } from '../response/mocker.ts'

/** Result of the rules for one response. */
export interface Change {
  outgoing: Readonly<Outgoing>
  value: { value: Json | undefined } | undefined
  response: ResponseModel | undefined
  remarks: readonly Diagnostic[]
  /** Diagnostics of the response only. */
  diagnostics: readonly Diagnostic[]
}

/** Cache of responses that were changed by rules. */
export interface KnownChanges {
  /** False while the hit rate is low; re-evaluated after `REST` requests. */
  isOfUse: () => boolean
  find: (mocked: Mocked, key: string) => Change | undefined
  /** Stores a change from its second occurrence on, because many keys occur only once. */
  keep: (mocked: Mocked, key: string, change: Change) => void
}

const MAX_KNOWN = 1000
/** Number of requests that skip the cache after a low hit rate. */
const REST = 20_000

export function createKnownChanges(): KnownChanges {
  let known = new WeakMap<Mocked, Map<string, Change | undefined>>()
  let count = 0
  let found = 0
  let rest = 0

  function forget(): void {
    if (found < count) rest = REST
    known = new WeakMap()
    count = 0
    found = 0
  }

  return {
    isOfUse: () => rest === 0 || --rest === 0,
    find(mocked, key) {
      const change = known.get(mocked)?.get(key)
      if (change !== undefined) found++
      return change
    },
    keep(mocked, key, change) {
      if ((change.outgoing.body?.length ?? 0) > MAX_TEXT_BYTES) return
      const own = known.get(mocked)
      if (own?.has(key)) {
        own.set(key, copyOf(change))
        return
      }
      if (count === MAX_KNOWN) forget()
      count++
      if (own === undefined || count === 1) known.set(mocked, new Map([[key, undefined]]))
      else own.set(key, undefined)
    }
  }
}

/** A copy, because the sender adds headers to the original. */
function copyOf(change: Change): Change {
  const { outgoing } = change
  return { ...change, outgoing: { ...outgoing, headers: { ...outgoing.headers } } }
}
