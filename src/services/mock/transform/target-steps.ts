import { isObject, type Json } from '../document/json.ts'
import { toText } from '../expression/expression.ts'
import { compileTemplate, type Template } from '../expression/template.ts'
import { decodeForm } from '../request/percent.ts'
import { membersOf, type Place, textsOf } from './place.ts'
import type { Change } from './rule.ts'

/** A list is one parameter several times; what comes out as null is not sent. */
export function compileSetQuery(place: Place): Change | undefined {
  const { value, complain, at } = place
  if (!isObject(value) || Object.keys(value).length === 0) {
    return complain('must be an object of query parameters')
  }
  const parameters = Object.entries(value).flatMap(([name, given]): [string, Template][] => {
    const template = at(given, name).template()
    return template === undefined ? [] : [[name, template]]
  })
  return (draft, subject) => {
    for (const [name, template] of parameters) {
      const filled = template.fill(subject)
      const items = Array.isArray(filled) ? filled : [filled]
      const pairs = items
        .filter((item) => item !== null)
        .map(
          (item) => `${encodeURIComponent(name)}=${encodeURIComponent(toText(item).toWellFormed())}`
        )
      draft.query = [without(draft.query, name), ...pairs].filter((part) => part !== '').join('&')
    }
    return undefined
  }
}

export function compileRemoveQuery(place: Place): Change {
  const names = textsOf(place)
  return (draft) => {
    for (const name of names) draft.query = without(draft.query, name)
    return undefined
  }
}

function without(query: string, name: string): string {
  return query
    .split('&')
    .filter((part) => part !== '' && decodeForm(part.split('=', 1)[0] ?? '') !== name)
    .join('&')
}

/** A whole path, or `{prefix, with}` to change only how it begins. */
export function compileRewritePath(place: Place): Change | undefined {
  const { value } = place
  if (typeof value === 'string') return rewriteWhole(place, value)
  const members = membersOf(place, ['prefix', 'with'])
  const prefix = readPrefix(members.get('prefix'))
  const replacement = readPrefix(members.get('with'))
  if (prefix === undefined || replacement === undefined) {
    return place.complain('requires a path, or prefix and with, each a path or an empty string')
  }
  return (draft) => {
    const { path } = draft
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return undefined
    draft.path = replacement + path.slice(prefix.length) || '/'
    return undefined
  }
}

function readPrefix(place: Place | undefined): string | undefined {
  const text = place?.value
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) return undefined
  if (/[?#\s{}]/.test(text)) return undefined
  return text.replace(/\/$/, '')
}

/** What is filled in stays inside of its segment. */
function rewriteWhole(place: Place, value: string): Change | undefined {
  const template = place.template()
  if (template === undefined) return undefined
  const fixed = value.replace(/\{\$[^}]*\}/g, '')
  if (!value.startsWith('/') || /[?#\s{}]/.test(fixed)) {
    return place.complain('must be a path that starts with a slash, without a query')
  }
  const parts: (string | Template)[] = value
    .split(/(\{\$[^}]*\})/)
    .map((part) => (part.startsWith('{$') ? compileTemplate(part) : part))
  return (draft, subject) => {
    draft.path = parts
      .map((part) => (typeof part === 'string' ? part : toSegment(part.fill(subject))))
      .join('')
    return undefined
  }
}

function toSegment(value: Json): string {
  return encodeURIComponent(toText(value).toWellFormed())
}
