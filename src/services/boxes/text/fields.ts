import { elementsOf, membersOf } from './spans.ts'

/** The requested members; an empty tree means the whole value. */
export type FieldTree = ReadonlyMap<string, FieldTree>

export function createFieldTree(paths: readonly (readonly string[])[]): FieldTree {
  const root = new Map<string, FieldTree>()
  for (const path of paths) {
    let tree = root
    for (const [index, name] of path.entries()) {
      const known = tree.get(name) as Map<string, FieldTree> | undefined
      // The whole value is already requested.
      if (known?.size === 0) break
      const below: Map<string, FieldTree> =
        index === path.length - 1 ? new Map() : (known ?? new Map())
      tree.set(name, below)
      tree = below
    }
  }
  return root
}

/** The requested members of an object, byte for byte; in arrays, those of the objects in it. */
export function pickFields(text: string, tree: FieldTree): string {
  return pickObject(text, 0, tree)
}

function pickObject(text: string, start: number, tree: FieldTree): string {
  const picked: string[] = []
  for (const { name, start: keyStart, valueStart, end } of membersOf(text, start)) {
    const below = tree.get(name)
    if (below === undefined) continue
    const value =
      below.size === 0 ? text.slice(valueStart, end) : pickBelow(text, valueStart, below)
    if (value !== undefined) picked.push(text.slice(keyStart, valueStart) + value)
  }
  return `{${picked.join(',')}}`
}

function pickBelow(text: string, start: number, tree: FieldTree): string | undefined {
  const first = text.charAt(start)
  if (first === '{') return pickObject(text, start, tree)
  if (first !== '[') return undefined
  const picked = elementsOf(text, start)
    .filter((element) => text.charAt(element.start) === '{')
    .map((element) => pickObject(text, element.start, tree))
  return `[${picked.join(',')}]`
}
