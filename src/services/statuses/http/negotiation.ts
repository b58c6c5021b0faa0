import { createCache } from '../../../kernel/cache.ts'
import { essenceOf } from '../../../kernel/media-type.ts'

/** Representations that one URL can have. */
export interface Form {
  readonly key: 'page' | 'json'
}

export const PAGE: Form = Object.freeze({ key: 'page' })
export const JSON_RECORD: Form = Object.freeze({ key: 'json' })

/** Different `Accept` values in memory. */
const MAX_REMEMBERED = 64
const remembered = createCache<Form>(MAX_REMEMBERED)

/** JSON if the client prefers it to a page, or names it and not pages; there is no 406. */
export function negotiate(accept: string | undefined): Form {
  return accept === undefined ? PAGE : remembered.getOrCreate(accept, readAccept)
}

function readAccept(accept: string): Form {
  const ranges = new Map(accept.split(',').map((range) => [essenceOf(range), qualityOf(range)]))
  const json = ranges.get('application/json') ?? 0
  const page = ranges.get('text/html') ?? ranges.get('application/xhtml+xml') ?? 0
  return json > page ? JSON_RECORD : PAGE
}

function qualityOf(range: string): number {
  const [, quality] = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i.exec(range) ?? []
  return quality === undefined ? 1 : Number(quality)
}
