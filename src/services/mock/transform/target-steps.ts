import { isObject, type Json } from '../document/json.ts'
import { toText } from '../expression/expression.ts'
import { compileTemplate, type Template } from '../expression/template.ts'
import { decodeForm } from '../request/percent.ts'
import type { Change } from './rule.ts'
import { membersOf, type RuleNode, textsOf } from './rule-node.ts'

/** An array becomes a repeated parameter; null removes the parameter. */
export function compileSetQuery(node: RuleNode): Change | undefined {
  const { value, addFinding: complain, at } = node
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

export function compileRemoveQuery(node: RuleNode): Change {
  const names = textsOf(node)
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

/** Compiles a whole path, or `{prefix, with}` to replace only the start of the path. */
export function compileRewritePath(node: RuleNode): Change | undefined {
  const { value } = node
  if (typeof value === 'string') return rewriteWhole(node, value)
  const members = membersOf(node, ['prefix', 'with'])
  const prefix = readPrefix(members.get('prefix'))
  const replacement = readPrefix(members.get('with'))
  if (prefix === undefined || replacement === undefined) {
    return node.addFinding('requires a path, or prefix and with, each a path or an empty string')
  }
  return (draft) => {
    const { path } = draft
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return undefined
    draft.path = replacement + path.slice(prefix.length) || '/'
    return undefined
  }
}

function readPrefix(node: RuleNode | undefined): string | undefined {
  const text = node?.value
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) return undefined
  if (/[?#\s{}]/.test(text)) return undefined
  return text.replace(/\/$/, '')
}

/** Values are percent-encoded, so that each stays inside its segment. */
function rewriteWhole(node: RuleNode, value: string): Change | undefined {
  const template = node.template()
  if (template === undefined) return undefined
  const fixed = value.replace(/\{\$[^}]*\}/g, '')
  if (!value.startsWith('/') || /[?#\s{}]/.test(fixed)) {
    return node.addFinding('must be a path that starts with a slash, without a query')
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
