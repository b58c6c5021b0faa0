import { isObject } from '../../../kernel/json.ts'
import { SAME_INSTANCE_APPLICATORS } from './keyword-shapes.ts'

type Node = Record<string, unknown>

/** Whether the schema of an edge must match, or is one of several. */
export type EdgeKind = 'all' | 'any'

interface Edge {
  to: Node
  kind: EdgeKind
}

export interface Cycles {
  /** Whether both schemas apply to the same value and refer to each other. */
  isClosed: (from: Node, to: Node) => boolean
  /** As `isClosed`, without following references from a variant to the union of all variants. */
  isHopeless: (from: Node, to: Node) => boolean
}

/**
 * Finds references that return to their start without descending into the value: `Pet` is one of
 * `Cat`, `Dog`, and `Cat` is all of `Pet` and more. Validators never return from such a circle.
 */
export function createCycles(resolve: (ref: string) => unknown): Cycles {
  const full = createComponents((node, kind) => edgesOf(node, kind, resolve))
  const strict = createComponents((node, kind) =>
    edgesOf(node, kind, resolve).filter((edge) => edge.kind === 'any' || !isUnion(edge.to))
  )
  return {
    isClosed: (from, to) => full(from) === full(to),
    isHopeless: (from, to) => strict(from) === strict(to)
  }
}

export function isUnion(schema: Node): boolean {
  return Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf)
}

function edgesOf(node: Node, kind: EdgeKind, resolve: (ref: string) => unknown): Edge[] {
  const edges: Edge[] = []
  const add = (to: unknown, edgeKind: EdgeKind) => {
    if (isObject(to)) edges.push({ to, kind: edgeKind })
  }
  if (typeof node.$ref === 'string') add(resolve(node.$ref), isBare(node) ? kind : 'all')
  for (const keyword of SAME_INSTANCE_APPLICATORS) {
    const value = node[keyword]
    const edgeKind = keyword === 'allOf' ? 'all' : 'any'
    if (Array.isArray(value)) for (const one of value) add(one, edgeKind)
    else if (keyword === 'dependentSchemas' && isObject(value)) {
      for (const one of Object.values(value)) add(one, edgeKind)
    } else add(value, edgeKind)
  }
  return edges
}

export function isBare(node: Node): boolean {
  return Object.keys(node).every((key) => key === '$ref' || key === 'description')
}

/** Tarjan's strongly connected components without recursion, computed on demand from each start. */
function createComponents(edges: (node: Node, kind: EdgeKind) => Edge[]): (node: Node) => number {
  const index = new Map<Node, number>()
  const low = new Map<Node, number>()
  const component = new Map<Node, number>()
  const open: Node[] = []

  function enter(node: Node, kind: EdgeKind) {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    open.push(node)
    return { node, pending: edges(node, kind) }
  }

  function close(node: Node): void {
    if (low.get(node) !== index.get(node)) return
    const number = index.get(node) as number
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      component.set(last, number)
      if (last === node) return
    }
  }

  function lower(node: Node, to: number): void {
    low.set(node, Math.min(low.get(node) as number, to))
  }

  return function find(start) {
    if (!component.has(start)) {
      const stack = [enter(start, 'all')]
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const edge = top.pending.pop()
        if (edge === undefined) {
          stack.pop()
          close(top.node)
          const parent = stack.at(-1)
          if (parent !== undefined) lower(parent.node, low.get(top.node) as number)
        } else if (!index.has(edge.to)) stack.push(enter(edge.to, edge.kind))
        else if (!component.has(edge.to)) lower(top.node, index.get(edge.to) as number)
      }
    }
    return component.get(start) as number
  }
}
