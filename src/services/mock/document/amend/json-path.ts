import type { JSONPathEnvironment, JSONPathQuery } from 'json-p3'
import { UserError } from '../../../../kernel/errors.ts'
import { createPatterns, type Patterns } from '../../schema/pattern/pattern.ts'
import type { Json } from '../json.ts'
import { MAX_DEPTH } from '../parse.ts'
import type { Location } from './copy-on-write-document.ts'
import type { PatchLimits } from './limits.ts'

const MAX_PATH_LENGTH = 10_000
/** Cost of a function call in steps, besides the characters that the function reads. */
const CALL_STEPS = 20
const TEXT_PER_STEP = 20

export interface Selected {
  location: Location
  value: Json
}

/** RFC 9535; finds each location once, in document order. */
export type Select = (path: string, root: Json) => Selected[]

type Library = typeof import('json-p3')

export async function createSelect(limits: PatchLimits): Promise<Select> {
  const library = await import('json-p3')
  const environment = createEnvironment(library, limits)
  const compiled = new Map<string, JSONPathQuery>()

  function compile(path: string): JSONPathQuery {
    const known = compiled.get(path)
    if (known !== undefined) return known
    if (path.length > MAX_PATH_LENGTH) {
      throw new UserError(`has a path of more than ${MAX_PATH_LENGTH} characters`)
    }
    limits.step(path.length)
    const query = environment.compile(path)
    watchSteps(query.segments, limits)
    compiled.set(path, query)
    return query
  }

  return (path, root) => {
    try {
      const found = new Map<string, Selected>()
      for (const { location, value } of compile(path).lazyQuery(root)) {
        limits.step()
        found.set(JSON.stringify(location), { location, value: value as Json })
      }
      return [...found.values()]
    } catch (cause) {
      if (cause instanceof library.JSONPathError) {
        throw new UserError(`${path} is not a JSONPath (RFC 9535): ${cause.message}`, { cause })
      }
      // Caused by thousands of parentheses, or by an array that is too long to be spread.
      if (cause instanceof RangeError) {
        throw new UserError(`${path.slice(0, 60)} selects too many values`, { cause })
      }
      throw cause
    }
  }
}

function createEnvironment(library: Library, limits: PatchLimits): JSONPathEnvironment {
  const environment = new library.JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH + 2 })
  const patterns = createPatterns()
  // The functions of the library use a backtracking engine, on which a pattern can run for years.
  const { LogicalType, ValueType } = library.FunctionExpressionType
  for (const [name, frame] of [
    ['match', (pattern: string) => `^(?:${pattern})$`],
    ['search', (pattern: string) => pattern]
  ] as const) {
    environment.functionRegister.set(name, {
      argTypes: [ValueType, ValueType],
      returnType: LogicalType,
      call(text, pattern) {
        if (typeof text !== 'string' || typeof pattern !== 'string') return false
        limits.step(CALL_STEPS + Math.floor((text.length + pattern.length) / TEXT_PER_STEP))
        return isMatch(patterns, frame(withPlainDots(pattern)), text)
      }
    })
  }
  return environment
}

/** By RFC 9535, an invalid regular expression has no match. */
function isMatch(patterns: Patterns, pattern: string, text: string): boolean {
  try {
    return patterns.get(pattern).test(text)
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** A dot of RFC 9485 excludes two line terminators, a dot of ECMAScript four. */
function withPlainDots(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) =>
    part === '.' ? '[^\\n\\r]' : part
  )
}

/** Counts the steps of every part, because filter queries run once per node and can be nested. */
function watchSteps(part: unknown, limits: PatchLimits): void {
  if (typeof part !== 'object' || part === null) return
  if (Array.isArray(part)) {
    for (const one of part) watchSteps(one, limits)
    return
  }
  if (!('selectors' in part)) {
    wrap(part, 'resolve', (original) => (node) => {
      limits.step(sizeOf((node as { value: unknown }).value))
      return original(node)
    })
  }
  if ('left' in part && 'right' in part && isQuery(part.left) && isQuery(part.right)) {
    wrap(part.left, 'evaluate', (original) => (context) => {
      const found = original(context) as { nodes: readonly { value: Json }[] }
      for (const { value } of found.nodes) limits.walk(value)
      return found
    })
  }
  for (const [name, inner] of Object.entries(part)) {
    if (name !== 'environment' && name !== 'token') watchSteps(inner, limits)
  }
}

type Method = (...args: unknown[]) => unknown

function wrap(part: object, name: string, around: (original: Method) => Method): void {
  const method: unknown = Reflect.get(part, name)
  if (typeof method !== 'function') return
  const value = around((...args) => Reflect.apply(method, part, args))
  // Not enumerable, so that `watchSteps` does not treat it as a part.
  Object.defineProperty(part, name, { value })
}

/** The results of two queries may be compared member by member. */
function isQuery(part: unknown): part is object {
  return typeof part === 'object' && part !== null && 'path' in part
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? 1 + value.length : 1
}
