import type { Pair } from './query-string.ts'
import type { SchemaSummary } from './schema-summary.ts'
import { createMembers, Malformed, type Members, readScalar } from './text-value.ts'

/** Deeper names are rejected. */
const MAX_DEPTH = 32

/** A tree of strings, before the schema decides which nodes are arrays. */
class Branch {
  readonly children = new Map<string, Branch>()
  readonly texts: string[] = []
}

/** Reads `name[a][b]=1`; numbers and empty brackets are array indexes. */
export function readDeepObject(
  pairs: readonly Pair[],
  key: string,
  shape: SchemaSummary,
  keyOf: (name: string) => string
): unknown {
  const root = new Branch()
  const start = `${key}[`
  for (const { name, value } of pairs) {
    if (!keyOf(name).startsWith(start)) continue
    const path = parseBrackets(name.slice(key.length))
    if (path instanceof Malformed) return path
    let branch = root
    for (const token of path) {
      const next = branch.children.get(token) ?? new Branch()
      branch.children.set(token, next)
      branch = next
    }
    branch.texts.push(value)
  }
  return root.children.size === 0 ? undefined : build(root, shape)
}

function parseBrackets(text: string): string[] | Malformed {
  const tokens: string[] = []
  let index = 0
  while (index < text.length) {
    const close = text.indexOf(']', index)
    if (text[index] !== '[' || close === -1) return new Malformed('has brackets that do not match')
    if (tokens.length === MAX_DEPTH) return new Malformed('is nested too deeply')
    tokens.push(text.slice(index + 1, close))
    index = close + 1
  }
  return tokens
}

function build(branch: Branch, shape: SchemaSummary | undefined): unknown {
  if (branch.children.size === 0) return buildLeaf(branch.texts, shape)
  return isList(branch, shape) ? buildList(branch, shape) : buildMembers(branch, shape)
}

function buildLeaf(texts: readonly string[], shape: SchemaSummary | undefined): unknown {
  const read = (text: string, of = shape) => (of === undefined ? text : readScalar(text, of))
  if (shape?.types?.has('array')) return texts.map((text) => read(text, shape.items))
  const [first = ''] = texts
  return texts.length === 1 ? read(first) : texts.map((text) => read(text))
}

function isList(branch: Branch, shape: SchemaSummary | undefined): boolean {
  if (shape?.types?.has('object')) return false
  const names = [...branch.children.keys()]
  const areIndexes = names.every((name) => /^\d{0,9}$/.test(name))
  return areIndexes && (shape?.types?.has('array') || names.every((name) => name === ''))
}

function buildList(branch: Branch, shape: SchemaSummary | undefined): unknown[] {
  const entries = [...branch.children].sort(([one], [other]) => Number(one) - Number(other))
  return entries.flatMap(([name, child]) => {
    const value = build(child, shape?.items)
    return name === '' && Array.isArray(value) ? value : [value]
  })
}

function buildMembers(branch: Branch, shape: SchemaSummary | undefined): Members {
  const members = createMembers()
  for (const [name, child] of branch.children) members[name] = build(child, shape?.property(name))
  return members
}
