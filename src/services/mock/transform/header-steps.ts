import { isObject, type Json } from '../document/json.ts'
import type { Template } from '../expression/template.ts'
import { isSendable, toHeaderText } from '../response/header-values.ts'
import type { Change } from './rule.ts'
import { type RuleNode, textsOf } from './rule-node.ts'

/** More than clients accept for all headers together. */
const MAX_HEADER_LENGTH = 16_384

/** Rules may change `content-type`, but not headers that frame the message. */
function isChangeable(name: string): boolean {
  return name === 'content-type' || (isSendable(name) && name !== '__proto__')
}

function readName(node: RuleNode, name: string): string {
  const lower = name.toLowerCase()
  if (!isChangeable(lower)) node.addFinding(`${name} is not a header that can be changed`)
  return lower
}

/** An array becomes several header lines; null removes the header. */
export function compileSetHeader(node: RuleNode): Change | undefined {
  const { value, addFinding: complain, at } = node
  if (!isObject(value) || Object.keys(value).length === 0) {
    return complain('must be an object of headers')
  }
  const headers = Object.entries(value).flatMap(([name, given]): [string, Template][] => {
    const inner = at(given, name)
    const lower = readName(inner, name)
    const template = inner.template()
    return template === undefined ? [] : [[lower, template]]
  })
  return (draft, subject) => {
    for (const [name, template] of headers) {
      const filled = template.fill(subject)
      const text = Array.isArray(filled) ? filled.map(headerOf) : headerOf(filled)
      if (lengthOf(text) > MAX_HEADER_LENGTH) return `${name} would be too long`
      if (filled === null) delete draft.headers[name]
      else draft.headers[name] = text
    }
    return undefined
  }
}

function lengthOf(text: string | readonly string[]): number {
  return typeof text === 'string' ? text.length : text.join('').length
}

function headerOf(value: Json): string {
  return toHeaderText(typeof value === 'string' ? value : JSON.stringify(value))
}

export function compileRemoveHeader(node: RuleNode): Change {
  const names = textsOf(node).map((name) => readName(node, name))
  return ({ headers }) => {
    for (const name of names) delete headers[name]
    return undefined
  }
}

export function compileRenameHeader(node: RuleNode): Change | undefined {
  const { value, addFinding: complain, at } = node
  if (!isObject(value) || !Object.values(value).every((name) => typeof name === 'string')) {
    return complain('must be an object of old and new names')
  }
  const pairs = Object.entries(value).map(([from, to]): [string, string] => {
    const inner = at(to, from)
    return [readName(inner, from), readName(inner, String(to))]
  })
  return ({ headers }) => {
    for (const [from, to] of pairs) {
      const held = Object.hasOwn(headers, from) ? headers[from] : undefined
      if (held === undefined) continue
      delete headers[from]
      headers[to] = held
    }
    return undefined
  }
}
