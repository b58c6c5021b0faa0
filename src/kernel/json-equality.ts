/** An object or array that is being written. */
interface Container {
  readonly members: readonly unknown[]
  /** Sorted; undefined for an array. */
  readonly names: readonly string[] | undefined
  next: number
}

/**
 * Returns equal strings for equal values, whatever the order of their properties. A loop instead
 * of recursion, so that deep values do not overflow the stack.
 */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const outer: Container[] = []
  let current: Container | undefined = openContainer(value)
  let text = current.names === undefined ? '[' : '{'
  while (current !== undefined) {
    const { members, names, next }: Container = current
    if (next === members.length) {
      text += names === undefined ? ']' : '}'
      current = outer.pop()
      continue
    }
    current.next += 1
    if (next > 0) text += ','
    if (names !== undefined) text += `${JSON.stringify(names[next])}:`
    const member = members[next]
    if (typeof member === 'object' && member !== null) {
      outer.push(current)
      current = openContainer(member)
      text += current.names === undefined ? '[' : '{'
    } else text += JSON.stringify(member) ?? 'undefined'
  }
  return text
}

function openContainer(value: object): Container {
  if (Array.isArray(value)) return { members: value, names: undefined, next: 0 }
  const names = Object.keys(value).sort()
  const members = names.map((name) => Reflect.get(value, name))
  return { members, names, next: 0 }
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return canonical(one) === canonical(other)
}

/**
 * The indexes of the first two equal values, the later one first. `onKey` gets the canonical string
 * of each value before it is looked up; its errors are not caught.
 */
export function findEqual(
  values: readonly unknown[],
  onKey?: (key: string) => void
): [number, number] | undefined {
  const seen = new Map<unknown, number>()
  for (const [index, value] of values.entries()) {
    // A quoted string never equals the canonical string of an object or array.
    const key = typeof value === 'object' ? canonical(value) : JSON.stringify(value)
    onKey?.(key)
    const before = seen.get(key)
    if (before !== undefined) return [index, before]
    seen.set(key, index)
  }
  return undefined
}
