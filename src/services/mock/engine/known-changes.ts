import type { Json } from '../document/json.ts'
import { type Diagnostic, MAX_TEXT_BYTES, type Outgoing } from '../message.ts'
import type { ResponseModel } from '../model/api.ts'
import type { Mocked } from '../response/mocker.ts'

/** What rules made of an answer, and what is to be said about it. */
export interface Change {
  outgoing: Readonly<Outgoing>
  value: { value: Json | undefined } | undefined
  response: ResponseModel | undefined
  remarks: readonly Diagnostic[]
  /** Without those about the request. */
  diagnostics: readonly Diagnostic[]
}

/** Answers that rules have changed before, to be sent again. */
export interface KnownChanges {
  /** Not where nearly nothing is asked for a second time; that is tried again later. */
  isOfUse: () => boolean
  find: (mocked: Mocked, key: string) => Change | undefined
  /** Keeps it from the second time on: many things are asked for only once. */
  keep: (mocked: Mocked, key: string, change: Change) => void
}

const MAX_KNOWN = 1000
/** Requests until remembering is tried again. */
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

/** Whoever sends the answer adds headers to it. */
function copyOf(change: Change): Change {
  const { outgoing } = change
  return { ...change, outgoing: { ...outgoing, headers: { ...outgoing.headers } } }
}
