import { type Cache, createCache } from './cache.ts'
import { type PreparedResponse, preparedSize } from './prepared-response.ts'

/** Maximum number of lanes; many different `Host` values only evict others. */
const MAX_LANES = 8

/** A representation of resources; each is one object. */
export interface ResponseForm {
  /** Identifies it in the cache. */
  readonly key: string
}

/** Rendered responses. They depend on base URL, representation and URL only. */
export interface ResponseCache {
  find: (base: string, form: ResponseForm, url: string) => PreparedResponse | undefined
  keep: (base: string, form: ResponseForm, url: string, response: PreparedResponse) => void
  forget: () => void
}

/** Responses of one base URL and representation, by URL. */
interface Lane {
  readonly base: string
  readonly form: ResponseForm
  readonly responses: Cache<PreparedResponse>
}

/** The last lane is remembered, because consecutive requests usually share it. */
export function createResponseCache(maxLaneBytes: number): ResponseCache {
  const lanes = createCache<Lane>(MAX_LANES, () => 1)
  let last = openLane('', { key: '' })

  function openLane(base: string, form: ResponseForm): Lane {
    return { base, form, responses: createCache(maxLaneBytes, preparedSize) }
  }

  function laneOf(base: string, form: ResponseForm): Lane {
    if (last.base === base && last.form === form) return last
    const key = `${base} ${form.key}`
    last = lanes.get(key) ?? openLane(base, form)
    lanes.set(key, last)
    return last
  }

  return {
    find: (base, form, url) => laneOf(base, form).responses.get(url),
    keep: (base, form, url, response) => laneOf(base, form).responses.set(url, response),
    forget() {
      lanes.clear()
      last = openLane('', last.form)
    }
  }
}
