import { essenceOf } from '../../kernel/media-type.ts'
import { MAX_INDENT, NotAcceptable, NotFound } from './contract.ts'
import type { Parameters } from './query/parameters.ts'

/** Format of a response; `key` identifies it in a cache. */
export type Representation = { readonly key: string } & (
  | { readonly kind: 'json'; readonly indent: number }
  | { readonly kind: 'wookiee' | 'page' }
)

export const COMPACT_JSON: Representation = Object.freeze({ kind: 'json', indent: 0, key: 'json0' })
const PAGE: Representation = Object.freeze({ kind: 'page', key: 'page' })

const FORMATS: Readonly<Record<string, Representation>> = {
  json: COMPACT_JSON,
  api: PAGE,
  wookiee: Object.freeze({ kind: 'wookiee', key: 'wookiee' })
}

/** Maximum number of cached `Accept` values. */
const MAX_REMEMBERED = 64
const remembered = new Map<string, Representation>([
  ['*/*', COMPACT_JSON],
  ['', COMPACT_JSON]
])

/** `?format=` has priority, then `?accept=`, then the header; JSON wins at equal quality. */
export function chooseRepresentation(
  header: string | undefined,
  parameters: Parameters
): Representation {
  const format = parameters.get('format')
  if (format === undefined) return negotiate(parameters.get('accept') ?? header)
  const form = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (form === undefined) throw new NotFound()
  return form
}

export function negotiate(accept: string | undefined): Representation {
  const form = findRepresentation(accept)
  if (form === undefined) throw new NotAcceptable()
  return form
}

/** Whether an error is rendered as a page: only if the client prefers pages. */
export function prefersPage(header: string | undefined, parameters: Parameters): boolean {
  const format = parameters.get('format')
  if (format !== undefined) return format === 'api'
  return findRepresentation(parameters.get('accept') ?? header) === PAGE
}

/** Undefined if no representation is acceptable. */
export function findRepresentation(accept: string | undefined): Representation | undefined {
  if (accept === undefined) return COMPACT_JSON
  const known = remembered.get(accept)
  if (known !== undefined) return known
  const form = readAccept(accept)
  if (form !== undefined && remembered.size < MAX_REMEMBERED) remembered.set(accept, form)
  return form
}

const JSON_RANGES = ['application/json', 'application/*', '*/*']
const PAGE_RANGES = ['text/html', 'text/*', '*/*']
const RANGES = new Set([...JSON_RANGES, ...PAGE_RANGES])

interface Range {
  readonly quality: number
  readonly indent: number
}

function readAccept(accept: string): Representation | undefined {
  const ranges = parseRanges(accept)
  const json = bestRange(ranges, JSON_RANGES)
  const page = bestRange(ranges, PAGE_RANGES)
  const jsonQuality = json?.quality ?? 0
  const pageQuality = page?.quality ?? 0
  if (jsonQuality === 0 && pageQuality === 0) return undefined
  if (pageQuality > jsonQuality) return PAGE
  const indent = json?.indent ?? 0
  return indent === 0 ? COMPACT_JSON : { kind: 'json', indent, key: `json${indent}` }
}

/** RFC 9110 12.5.1: the most specific range decides. */
function bestRange(ranges: ReadonlyMap<string, Range>, types: readonly string[]) {
  const type = types.find((one) => ranges.has(one))
  return type === undefined ? undefined : ranges.get(type)
}

/** The first range of each type that this service can send. */
function parseRanges(accept: string): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>()
  for (const text of accept.split(',')) {
    const type = essenceOf(text)
    if (RANGES.has(type) && !ranges.has(type)) ranges.set(type, parseRange(text))
  }
  return ranges
}

function parseRange(text: string): Range {
  const [, ...pairs] = text.split(';').map((part) => part.trim().toLowerCase())
  const parameters = new Map(pairs.map(parsePair))
  return {
    quality: parseQuality(parameters.get('q')),
    indent: parseIndent(parameters.get('indent'))
  }
}

function parsePair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=').map((part) => part.trim())
  return [name, value]
}

function parseQuality(value: string | undefined): number {
  if (value === undefined) return 1
  return /^[01](\.\d{0,3})?$/.test(value) ? Number(value) : 0
}

function parseIndent(value: string | undefined): number {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), MAX_INDENT) : 0
}
