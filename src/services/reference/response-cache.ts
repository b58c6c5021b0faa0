import { type Cache, createCache } from '../../kernel/cache.ts'
import { type PreparedResponse, preparedSize } from '../../kernel/prepared-response.ts'
import type { Representation } from './negotiation.ts'

/** Maximum number of lanes; many different `Host` values only evict others. */
const MAX_LANES = 8
/** Size of a lane; all records and lists of one base URL fit. */
const MAX_LANE_BYTES = 2 * 1024 * 1024

/** Rendered responses. They depend on base URL, representation and URL only. */
export interface ResponseCache {
  find: (base: string, form: Representation, url: string) => PreparedResponse | undefined
  keep: (base: string, form: Representation, url: string, response: PreparedResponse) => void
  forget: () => void
}

/** Responses of one base URL and representation, by URL. */
interface Lane {
  readonly base: string
  readonly form: Representation
  readonly responses: Cache<PreparedResponse>
}

/** The last lane is remembered, because consecutive requests usually share it. */
export function createResponseCache(): ResponseCache {
  const lanes = createCache<Lane>(MAX_LANES, () => 1)
  let last = openLane('', { kind: 'page', key: '' })

  function laneOf(base: string, form: Representation): Lane {
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

function openLane(base: string, form: Representation): Lane {
  return { base, form, responses: createCache(MAX_LANE_BYTES, preparedSize) }
}
