import { isObject } from '../../../kernel/json.ts'
import { createCycles, type EdgeKind, isBare, isUnion } from './cycles.ts'
import { discriminate } from './discriminator.ts'
import { createHidden, type Side } from './hidden.ts'
import type { JsonSchema, SchemaObject } from './json-schema.ts'
import { FOREIGN, isSchema, ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP, SHAPES } from './keyword-shapes.ts'
import type { Patterns } from './pattern/pattern.ts'
import { findAt, joinPointer, lastOf } from './pointer.ts'

type Raw = Record<string, unknown>

/** The schemas of the document for one side, request or response. */
export interface View {
  /** The schema at a pointer; undefined if there is none. References are not resolved. */
  at: (pointer: string) => JsonSchema | undefined
  /** Adds a schema that is not part of the document, but refers to it. */
  adopt: (schema: object, pointer: string) => JsonSchema
  resolve: (ref: string) => JsonSchema
  /** The last token of a reference: the name of the component. */
  nameOf: (ref: string) => string
  /** All references inside a schema returned by `at`, `adopt` or `resolve`. */
  refsOf: (schema: JsonSchema) => readonly string[]
  /** Number of schemas inside such a schema, itself included. */
  sizeOf: (schema: JsonSchema) => number
  /** Whether a discriminator changed any schema checked so far. */
  isRewritten: () => boolean
}

export interface ViewOptions {
  side: Side
  /** Whether unions are decided by their discriminator, instead of by trying every branch. */
  discriminated: boolean
  patterns: Patterns
  /**
   * Whether the first matching branch of a union is used: for coercion, where each branch would
   * convert a string differently.
   */
  lenient?: boolean
  report: (pointer: string, message: string) => void
}

interface Scope {
  /** Relation to the enclosing schema, if both apply to the same value. */
  kind: EdgeKind
  hidden: ReadonlySet<string>
  depth: number
  root: Root
  /** Unions that are inlined in place of a circular reference. */
  opened: ReadonlySet<object>
}

interface Root {
  refs: Set<string>
  size: number
}

/** Location of a schema; converted to a string only for reports. */
interface Path {
  up: Path | undefined
  token: string | number
}

const MAX_DEPTH = 200
/** Compiling a validator takes a quarter of a millisecond for each schema in it. */
const MAX_SIZE = 20_000
const NONE: ReadonlySet<string> = new Set()
const NOTHING: ReadonlySet<object> = new Set()
const PLAIN_REF = /^#[\w.\-/]+$/
const VALUES = ['example', 'default']

export function createView(document: object, options: ViewOptions): View {
  const { side, discriminated, patterns, report } = options
  const raws = new Map<string, unknown>()
  const hidden = createHidden(side, findRaw)
  const cycles = createCycles(findRaw)
  const seen = new Map<unknown, JsonSchema>()
  const roots = new Map<JsonSchema, Root>()
  const spelled = new Map<string, string>()
  const keys = new Map<string, string>()
  let rewritten = false

  function findRaw(ref: string): unknown {
    if (!raws.has(ref)) raws.set(ref, ref.startsWith('#') ? findAt(document, ref) : undefined)
    return raws.get(ref)
  }

  let last: { pointer?: string; schema?: JsonSchema | undefined } = {}

  function enter(raw: unknown, pointer: string): JsonSchema {
    if (typeof raw === 'boolean') return raw
    const known = seen.get(raw)
    if (known !== undefined) return known
    const root: Root = { refs: new Set(), size: 0 }
    const schema = look(
      raw,
      { up: undefined, token: pointer },
      {
        kind: 'all',
        hidden: NONE,
        depth: 0,
        root,
        opened: NOTHING
      }
    )
    seen.set(raw, schema)
    if (typeof schema !== 'boolean') roots.set(schema, root)
    return schema
  }

  function look(raw: unknown, path: Path, scope: Scope): JsonSchema {
    if (typeof raw === 'boolean') return raw
    if (!isObject(raw)) return complain(path, 'must be a schema')
    if (scope.depth > MAX_DEPTH) {
      return complain(path, `is nested more than ${MAX_DEPTH} levels deep and is ignored`)
    }
    scope.root.size += 1
    if (scope.root.size === MAX_SIZE) {
      complain(path, `comes after ${MAX_SIZE} other schemas in one schema and is ignored`)
    }
    if (scope.root.size >= MAX_SIZE) return true
    const names = join(scope.hidden, hidden.namesIn(raw))
    const inner = names === scope.hidden ? scope : { ...scope, hidden: names }
    const schema = copyOnWrite(raw, (key, value) => lookAtKeyword(raw, key, value, path, inner))
    const whole = finish(raw, schema, path, inner)
    if (!discriminated || whole.discriminator === undefined) return loosen(whole)
    const decided = discriminate(whole, resolve, nameOf)
    if (decided !== whole) rewritten = true
    return loosen(decided)
  }

  function loosen(schema: SchemaObject): SchemaObject {
    if (!options.lenient) return schema
    const { oneOf, anyOf, ...rest } = schema
    const unions = [oneOf, anyOf].filter((union) => union !== undefined)
    if (unions.length === 0) return schema
    return { ...rest, allOf: [...(rest.allOf ?? []), ...unions.map(firstOf)] }
  }

  function lookAtKeyword(raw: Raw, key: string, value: unknown, path: Path, scope: Scope) {
    const where = { up: path, token: key }
    if (FOREIGN.has(key)) return undefined
    if (key === '$ref') return keyOf(value, raw, where, scope)
    if (key === '$dynamicRef') return drop(where, 'is not supported and is ignored')
    if (ONE_SCHEMA.has(key)) return lookAtOne(key, value, where, scope)
    if (SCHEMA_LIST.has(key)) return lookAtList(key, value, where, scope)
    if (SCHEMA_MAP.has(key)) return lookAtMap(key, value, where, scope)
    const complaint = SHAPES.get(key)?.(value)
    if (complaint !== undefined) return drop(where, complaint)
    if (key === 'pattern') return isUsable(value as string, where) ? value : undefined
    if (key === 'required') return without(value as string[], scope.hidden)
    if (key === 'dependentRequired') {
      return copyOnWrite(value as Raw, (_, list) => without(list as string[], scope.hidden))
    }
    if (VALUES.includes(key) && isObject(value) && isObject(raw.properties)) {
      return copyOnWrite(value, (name, one) => (scope.hidden.has(name) ? undefined : one))
    }
    return value
  }

  function lookAtOne(key: string, value: unknown, where: Path, scope: Scope) {
    if (!isSchema(value)) return drop(where, 'must be a schema')
    const isApplicator = key === 'not' || key === 'if' || key === 'then' || key === 'else'
    return look(value, where, isApplicator ? stay(scope, 'any') : goIn(scope))
  }

  function lookAtList(key: string, value: unknown, where: Path, scope: Scope) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(isSchema)) {
      return drop(where, 'must be an array of schemas')
    }
    const inner = key === 'prefixItems' ? goIn(scope) : stay(scope, key === 'allOf' ? 'all' : 'any')
    const looked = value.map((one, index) => look(one, { up: where, token: index }, inner))
    return looked.every((one, index) => one === value[index]) ? value : looked
  }

  function lookAtMap(key: string, value: unknown, where: Path, scope: Scope) {
    if (!isObject(value)) return drop(where, 'must be an object of schemas')
    const inner = key === 'dependentSchemas' ? stay(scope, 'any') : goIn(scope)
    return copyOnWrite(value, (name, one) => {
      const location = { up: where, token: name }
      if (!isSchema(one)) return drop(location, 'must be a schema')
      if (key !== 'dependentSchemas' && hidden.isHidden(one)) return undefined
      if (key === 'patternProperties' && !isUsable(name, location)) return undefined
      return look(one, location, inner)
    })
  }

  /** Applies changes that concern the schema as a whole. */
  function finish(raw: Raw, looked: Raw, path: Path, scope: Scope): SchemaObject {
    let schema: SchemaObject = looked
    const target = typeof raw.$ref === 'string' ? findRaw(raw.$ref) : undefined
    if (isObject(target) && schema.$ref === undefined) {
      const replaced = replace(raw, target, path, scope)
      // In its own position, so that generated bodies have the members of a parent first.
      if (isBare(raw) && typeof replaced === 'object') return replaced
      schema = { ...schema, allOf: [...(schema.allOf ?? []), replaced] }
    }
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, '__proto__')) {
      schema = { ...schema, ...moveProto(schema) }
    }
    return schema
  }

  /** Replaces a circular reference by the target without its union, or by a boolean schema. */
  function replace(raw: Raw, target: Raw, path: Path, scope: Scope): JsonSchema {
    const kind = isBare(raw) ? scope.kind : 'all'
    if (kind === 'all' && isUnion(target) && !scope.opened.has(target)) {
      const { oneOf, anyOf, discriminator, ...rest } = target
      const opened = new Set(scope.opened).add(target)
      // Without the union it only tells the generator the name of a child.
      const isKept = isObject(discriminator) && discriminator.isInherited === true
      const bare = isKept ? { ...rest, discriminator } : rest
      return look(bare, path, { ...stay(scope, 'all'), opened })
    }
    if (kind === 'all' && isUnion(target)) return true
    complain(path, 'refers to itself endlessly; this reference is ignored')
    return kind === 'all'
  }

  function keyOf(value: unknown, raw: Raw, where: Path, scope: Scope): string | undefined {
    if (typeof value !== 'string') return drop(where, 'must be a string')
    const target = findRaw(value)
    if (!isSchema(target)) return drop(where, `points to a missing value: ${value}`)
    if (isObject(target)) {
      const kind = isBare(raw) ? scope.kind : 'all'
      const cut =
        kind === 'all' && isUnion(target)
          ? cycles.isClosed(raw, target)
          : cycles.isHopeless(raw, target)
      if (cut || scope.opened.has(target)) return undefined
    }
    const key = spell(value)
    scope.root.refs.add(key)
    return key
  }

  /** Ajv parses references as URLs, so a name with other characters gets a plain replacement. */
  function spell(ref: string): string {
    if (PLAIN_REF.test(ref)) return ref
    const known = spelled.get(ref) ?? `#/reference/${spelled.size}`
    spelled.set(ref, known)
    keys.set(known, ref)
    return known
  }

  function resolve(ref: string): JsonSchema {
    const pointer = keys.get(ref) ?? ref
    return enter(findRaw(pointer), pointer)
  }

  function nameOf(ref: string): string {
    return lastOf(keys.get(ref) ?? ref) ?? ref
  }

  function isUsable(pattern: string, where: Path): boolean {
    try {
      patterns.get(pattern)
      return true
    } catch (error) {
      complain(where, `cannot be used: ${(error as Error).message}`)
      return false
    }
  }

  function drop(path: Path, message: string): undefined {
    complain(path, message)
  }

  function complain(path: Path, message: string): JsonSchema {
    report(spellPath(path), message)
    return true
  }

  return {
    at(pointer) {
      // A caller asks for the same schema several times in a row.
      if (pointer !== last.pointer) {
        const raw = findAt(document, pointer)
        last = { pointer, schema: isSchema(raw) ? enter(raw, pointer) : undefined }
      }
      return last.schema
    },
    adopt: enter,
    resolve,
    nameOf,
    refsOf: (schema) => [...(roots.get(schema)?.refs ?? [])],
    sizeOf: (schema) => roots.get(schema)?.size ?? 1,
    isRewritten: () => rewritten
  }
}

function spellPath({ up, token }: Path): string {
  return up === undefined ? String(token) : joinPointer(spellPath(up), token)
}

function firstOf([first = true, ...others]: readonly JsonSchema[]): JsonSchema {
  return others.length === 0 ? first : { if: first, else: firstOf(others) }
}

function stay(scope: Scope, kind: EdgeKind): Scope {
  return { ...scope, kind, depth: scope.depth + 1 }
}

function goIn(scope: Scope): Scope {
  return { ...scope, kind: 'all', hidden: NONE, opened: NOTHING, depth: scope.depth + 1 }
}

function join(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (other.size === 0) return one
  return one.size === 0 ? other : new Set([...one, ...other])
}

function without(list: string[], names: ReadonlySet<string>): string[] {
  return list.some((name) => names.has(name)) ? list.filter((name) => !names.has(name)) : list
}

/** Ajv ignores a property schema named `__proto__`, but not a pattern with that name. */
function moveProto(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema.properties as Record<string, JsonSchema>)
  const proto = entries.filter(([name]) => name === '__proto__').map(([, one]) => one)
  return {
    properties: Object.fromEntries(entries.filter(([name]) => name !== '__proto__')),
    patternProperties: { ...schema.patternProperties, '^__proto__$': proto[0] as JsonSchema }
  }
}

/** Returns the same object if nothing changes; a key whose value becomes undefined is removed. */
function copyOnWrite(from: Raw, change: (key: string, value: unknown) => unknown): Raw {
  let entries: [string, unknown][] | undefined
  for (const [index, key] of Object.keys(from).entries()) {
    const value = change(key, from[key])
    if (value !== from[key]) entries ??= Object.entries(from).slice(0, index)
    if (value !== undefined) entries?.push([key, value])
  }
  return entries === undefined ? from : Object.fromEntries(entries)
}
