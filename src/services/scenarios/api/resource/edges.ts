import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { longText, nulls, rtl, unicode, xss } from '../../scenario/listing.ts'

/** A record in a response. */
export type WireRecord = Readonly<Record<string, unknown>>

const LONG = 'Wolfeschlegelsteinhausen'.repeat(13).slice(0, 300)

interface Names {
  readonly first: string
  readonly last: string
}

const UNICODE: Names = { first: 'Zoë 👩🏽‍🚀 Ｗｉｄｅ', last: 'N̈a̋m̈e\u0301 𝒮𝓂𝒾𝓉𝒽 李' }
const RTL: Names = { first: 'عائشة', last: 'בן־דוד' }
const XSS: Names = {
  first: '<img src=x onerror="document.title=\'broken into\'">',
  last: "\"><script>document.title='broken into'</script>"
}

/** Changes the values that the selected scenarios concern; other fields stay the same. */
export function applyEdges(call: RequestContext, record: WireRecord): WireRecord {
  if (call.selection.size === 0) return record
  let changed = record
  if (use(call, unicode)) changed = rename(changed, UNICODE)
  if (use(call, rtl)) changed = rename(changed, RTL)
  if (use(call, longText)) changed = rename(changed, { first: LONG, last: LONG })
  if (use(call, xss)) changed = rename(changed, XSS)
  if (use(call, nulls)) changed = withNulls(changed)
  return changed
}

/** Replaces names; the order of keys stays the same. */
function rename(record: WireRecord, { first, last }: Names): WireRecord {
  const names = new Map([
    ['first_name', first],
    ['last_name', last],
    ['name', first]
  ])
  return mapValues(record, (key, value) => names.get(key) ?? value)
}

const NULLED = ['avatar', 'last_name', 'pantone_value']

function withNulls(record: WireRecord): WireRecord {
  return mapValues(record, (key, value) => (NULLED.includes(key) ? null : value))
}

function mapValues(record: WireRecord, change: (key: string, value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]))
}
