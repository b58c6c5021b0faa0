import { type Cache, createCache } from '../../kernel/cache.ts'
import { type PreparedResponse, preparedSize } from '../../kernel/prepared-response.ts'
import type { Form } from './negotiation.ts'

/** A flood of queries or `Host` values only evicts. */
const MAX_LANES = 8
/** All records and lists of one base URL fit. */
const MAX_LANE_BYTES = 2 * 1024 * 1024

/** Finished answers. Base URL, form and address decide the bytes; nothing else of a request does. */
export interface ReadyAnswers {
  find: (base: string, form: Form, url: string) => PreparedResponse | undefined
  keep: (base: string, form: Form, url: string, answer: PreparedResponse) => void
  forget: () => void
}

/** What one base URL and form lead to, by address. */
interface Lane {
  readonly base: string
  readonly form: Form
  readonly answers: Cache<PreparedResponse>
}

/** Most clients in a row share their lane, so that the address alone has to be looked up. */
export function createReadyAnswers(): ReadyAnswers {
  const lanes = createCache<Lane>(MAX_LANES, () => 1)
  let last = openLane('', { kind: 'page', key: '' })

  function laneOf(base: string, form: Form): Lane {
    if (last.base === base && last.form === form) return last
    const key = `${base} ${form.key}`
    last = lanes.get(key) ?? openLane(base, form)
    lanes.set(key, last)
    return last
  }

  return {
    find: (base, form, url) => laneOf(base, form).answers.get(url),
    keep: (base, form, url, answer) => laneOf(base, form).answers.set(url, answer),
    forget() {
      lanes.clear()
      last = openLane('', last.form)
    }
  }
}

function openLane(base: string, form: Form): Lane {
  return { base, form, answers: createCache(MAX_LANE_BYTES, preparedSize) }
}
