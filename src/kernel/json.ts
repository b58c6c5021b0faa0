export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** For parsed JSON only: members are assumed to be JSON, too. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether objects and arrays are nested more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return containersAtDepth(value, levels).size > 0
}

/**
 * The objects and arrays nested in this many others; the value itself at depth 0. A loop per level
 * instead of recursion, because deep values overflow the stack. A set, because YAML aliases let a
 * short document contain the same object billions of times.
 */
export function containersAtDepth(value: unknown, depth: number): ReadonlySet<object> {
  let level = new Set<object>()
  addContainers(level, [value])
  for (let below = 0; below < depth && level.size > 0; below++) {
    const next = new Set<object>()
    for (const container of level) addContainers(next, Object.values(container))
    level = next
  }
  return level
}

function addContainers(containers: Set<object>, values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'object' && value !== null) containers.add(value)
  }
}

/** Reads own members only, because a name may be `constructor` or `toString`. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Defines `__proto__` as a property, because assigning to it would change the prototype. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value
  else {
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true
    })
  }
}
