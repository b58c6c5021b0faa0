import { compareLiteralness, type Literalness, literalnessOf } from './literalness.ts'
import { rawParts } from './raw-parts.ts'
import { escapeSegment, type Segment, type Sent, shapeOf } from './segments.ts'
import { matchTemplate, type Template } from './template.ts'

/** A target that is served at a path. */
export interface Entry<T> {
  segments: readonly Segment[]
  /** Position in the document; of two equally literal matches the later one is used. */
  order: number
  target: T
}

export interface Found<T> {
  target: T
  /** Whether the path has no parameters. */
  isLiteral: boolean
  literalness: Literalness
  order: number
  /** Values by parameter name, percent-encoded. */
  values: ReadonlyMap<string, string>
}

export interface Table<T> {
  literal: (key: string) => readonly Found<T>[]
  /** All matching entries with parameters, best first. */
  templated: (sent: Sent) => Found<T>[]
}

interface Node<T> {
  literals: Map<string, Node<T>>
  whole: Node<T> | undefined
  mixed: { template: Template; node: Node<T> }[]
  entries: { entry: Entry<T>; names: readonly string[]; literalness: Literalness }[]
}

const NONE: readonly never[] = []
const NO_VALUES: ReadonlyMap<string, string> = new Map()

export function createTable<T>(entries: readonly Entry<T>[]): Table<T> {
  const literals = new Map<string, Found<T>[]>()
  const root = createNode<T>()
  for (const entry of entries) {
    if (entry.segments.every(({ kind }) => kind === 'literal')) addLiteral(literals, entry)
    else addTemplate(root, entry)
  }
  for (const found of literals.values()) found.sort(byRank)
  return {
    literal: (key) => literals.get(key) ?? NONE,
    templated(sent) {
      const found: Found<T>[] = []
      collect(root, sent, 0, [], found)
      return found.length > 1 ? found.sort(byRank) : found
    }
  }
}

/** Equals the path if the request has no percent-encoding. */
export function literalKey({ decoded }: Sent): string {
  return `/${decoded.map(escapeSegment).join('/')}`
}

function addLiteral<T>(literals: Map<string, Found<T>[]>, entry: Entry<T>): void {
  const key = `/${shapeOf(entry.segments)}`
  const { order, target } = entry
  const literalness = literalnessOf(entry.segments)
  const found = { target, isLiteral: true, literalness, order, values: NO_VALUES }
  literals.set(key, [...(literals.get(key) ?? []), found])
}

function createNode<T>(): Node<T> {
  return { literals: new Map(), whole: undefined, mixed: [], entries: [] }
}

function addTemplate<T>(root: Node<T>, entry: Entry<T>): void {
  let node = root
  const names: string[] = []
  for (const segment of entry.segments) {
    if (segment.kind === 'whole') names.push(segment.name)
    if (segment.kind === 'mixed') names.push(...segment.template.names)
    node = enter(node, segment)
  }
  node.entries.push({ entry, names, literalness: literalnessOf(entry.segments) })
}

function enter<T>(node: Node<T>, segment: Segment): Node<T> {
  const fresh = createNode<T>()
  if (segment.kind === 'literal') {
    const known = node.literals.get(segment.text) ?? fresh
    node.literals.set(segment.text, known)
    return known
  }
  if (segment.kind === 'whole') {
    node.whole ??= fresh
    return node.whole
  }
  const shape = shapeOf([segment])
  const known = node.mixed.find(
    ({ template }) => shapeOf([{ kind: 'mixed', template }]) === shape
  )?.node
  if (known !== undefined) return known
  node.mixed.push({ template: segment.template, node: fresh })
  return fresh
}

/** Enters each node at most once, so the cost is limited by the number of documented paths. */
function collect<T>(
  node: Node<T>,
  sent: Sent,
  depth: number,
  values: readonly string[],
  found: Found<T>[]
): void {
  if (depth === sent.raw.length) {
    for (const { entry, names, literalness } of node.entries) {
      const { target, order } = entry
      const named = new Map(names.map((name, index) => [name, values[index] ?? '']))
      found.push({ target, isLiteral: false, literalness, order, values: named })
    }
    return
  }
  const raw = sent.raw[depth] ?? ''
  const decoded = sent.decoded[depth] ?? ''
  const literal = node.literals.get(decoded)
  if (literal !== undefined) collect(literal, sent, depth + 1, values, found)
  if (node.whole !== undefined) collect(node.whole, sent, depth + 1, [...values, raw], found)
  for (const mixed of node.mixed) {
    const parts = matchTemplate(mixed.template, decoded)
    if (parts === undefined) continue
    const asSent = raw === decoded ? parts : rawParts(mixed.template, raw, parts)
    collect(mixed.node, sent, depth + 1, [...values, ...asSent], found)
  }
}

function byRank<T>(one: Found<T>, other: Found<T>): number {
  return compareLiteralness(other.literalness, one.literalness) || other.order - one.order
}
