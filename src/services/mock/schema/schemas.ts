import type { ValidateFunction } from 'ajv'
import { type Compiler, createCompiler, TooManySteps } from './compiler.ts'
import { createFormatCheck } from './formats.ts'
import type { Side } from './hidden.ts'
import type { JsonSchema } from './json-schema.ts'
import { createPatterns, type Patterns } from './pattern/pattern.ts'
import { createView, type View } from './view.ts'
import { readViolations, type Violation } from './violation.ts'

export type { Side, View, Violation }

export interface Problem {
  pointer: string
  message: string
}

export interface Compiled {
  /** Returns an empty array if the value is valid. The value is not modified. */
  validate: (value: unknown) => Violation[]
  /**
   * For parameters and form fields: converts strings to numbers, booleans, null or arrays as the
   * schema requires. Objects and arrays inside `value` are modified in place.
   */
  coerce: (value: unknown) => { value: unknown; violations: Violation[] }
}

export type Found = { ok: true; compiled: Compiled } | { ok: false; problem: Problem }

export interface SchemaLocation {
  pointer: string
  side: Side
}

export interface Schemas {
  find: (pointer: string, side: Side) => Found
  /** Compiles a schema of the caller, which may refer to the document. */
  compile: (schema: object, side: Side, pointer: string) => Found
  /**
   * Checks every schema that can be reached from these locations. Code is generated only with
   * `compile`: that is the slow part, and fails only if a schema is too large for it.
   */
  checkAll: (locations: Iterable<SchemaLocation>, options?: { compile?: boolean }) => Problem[]
  /** All problems found so far, each once. */
  problems: () => Problem[]
  /** The schemas without the effect of `discriminator`. */
  view: (side: Side) => View
  /** Whether a value that `find` accepts is also valid without the effect of `discriminator`. */
  isPlainlyValid: (pointer: string, side: Side, value: unknown) => boolean
  /** Whether `discriminator` has no effect in all schemas checked so far. */
  isPlain: (side: Side) => boolean
  patterns: Patterns
  hasFormat: (format: string, value: unknown) => boolean
}

interface OneSide {
  view: View
  verdict: Compiler
  detail: Compiler
  lenient: View
  coercion: Compiler
  plainView: View
  plain: Compiler
}

/** For a value that contains more values than this, only the first violation is reported. */
const MAX_DETAILED_VALUES = 50_000

const TOO_DEEP = 'is nested too deeply to be validated'
const TOO_LONG = 'takes too many steps to be validated'

/** Validators for one OpenAPI 3.1 document, each compiled on first use. */
export function createSchemas(document: object): Schemas {
  const patterns = createPatterns()
  const problems = new Map<string, Problem>()
  const found = new Map<string, Found>()
  const plainly = new Map<string, ValidateFunction>()
  const sides: Partial<Record<Side, OneSide>> = {}
  let hasFormat: Schemas['hasFormat'] | undefined

  function report(pointer: string, message: string): Problem {
    const problem = { pointer, message }
    problems.set(`${pointer} ${message}`, problem)
    return problem
  }

  function side(name: Side): OneSide {
    sides[name] ??= openSide(document, name, patterns, report)
    return sides[name]
  }

  function compile(
    one: OneSide,
    schema: JsonSchema,
    pointer: string,
    lenient: () => JsonSchema
  ): Found {
    try {
      return { ok: true, compiled: createCompiled(one, schema, lenient) }
    } catch (error) {
      return { ok: false, problem: report(pointer, `cannot be compiled: ${messageOf(error)}`) }
    }
  }

  function find(pointer: string, name: Side): Found {
    const key = `${name} ${pointer}`
    let response = found.get(key)
    if (response === undefined) {
      const one = side(name)
      const schema = one.view.at(pointer)
      response =
        schema === undefined
          ? { ok: false, problem: report(pointer, 'is not a schema') }
          : compile(one, schema, pointer, () => one.lenient.at(pointer) ?? true)
      found.set(key, response)
    }
    return response
  }

  function checkAll(
    locations: Iterable<SchemaLocation>,
    options: { compile?: boolean } = {}
  ): Problem[] {
    const reached = { request: new Set<string>(), response: new Set<string>() }
    for (const location of locations) {
      const { view } = side(location.side)
      const schema = view.at(location.pointer)
      if (schema === undefined) report(location.pointer, 'is not a schema')
      else for (const ref of view.refsOf(schema)) reached[location.side].add(ref)
      if (options.compile) find(location.pointer, location.side)
    }
    for (const name of ['request', 'response'] as const) {
      for (const ref of reached[name]) {
        const { view } = side(name)
        for (const next of view.refsOf(view.resolve(ref))) reached[name].add(next)
        if (options.compile) find(ref, name)
      }
    }
    return [...problems.values()]
  }

  function isPlainlyValid(pointer: string, name: Side, value: unknown): boolean {
    const key = `${name} ${pointer}`
    const { plain, plainView, view } = side(name)
    if (!view.isRewritten()) return true
    let validate = plainly.get(key)
    if (validate === undefined) {
      validate = plain.compile(plainView.at(pointer) ?? true)
      plainly.set(key, validate)
    }
    const check = validate
    return guard(plain, () => (check(value) ? [] : [violationOf('plain')])).length === 0
  }

  return {
    find,
    compile(schema, name, pointer) {
      const one = side(name)
      const lenient = () => one.lenient.adopt(schema, pointer)
      return compile(one, one.view.adopt(schema, pointer), pointer, lenient)
    },
    checkAll,
    problems: () => [...problems.values()],
    view: (name) => side(name).plainView,
    isPlainlyValid,
    isPlain: (name) => !side(name).view.isRewritten(),
    patterns,
    hasFormat(format, value) {
      hasFormat ??= createFormatCheck()
      return hasFormat(format, value)
    }
  }
}

function openSide(
  document: object,
  side: Side,
  patterns: Patterns,
  report: (pointer: string, message: string) => void
): OneSide {
  const view = createView(document, { side, discriminated: true, patterns, report })
  const lenient = createView(document, {
    side,
    discriminated: true,
    lenient: true,
    patterns,
    report
  })
  const plainView = createView(document, { side, discriminated: false, patterns, report })
  return {
    view,
    verdict: createCompiler(view, patterns, 'verdict'),
    detail: createCompiler(view, patterns, 'detail'),
    lenient,
    coercion: createCompiler(lenient, patterns, 'coercion'),
    plainView,
    plain: createCompiler(plainView, patterns, 'verdict')
  }
}

function createCompiled(side: OneSide, schema: JsonSchema, lenient: () => JsonSchema): Compiled {
  const verdict = side.verdict.compile(schema)
  let detail: ValidateFunction | undefined
  let coercion: ValidateFunction | undefined

  function validate(value: unknown): Violation[] {
    return guard(side.verdict, () => (verdict(value) ? [] : describe(value)))
  }

  function describe(value: unknown): Violation[] {
    if (holdsMoreThan(value, MAX_DETAILED_VALUES)) return readViolations(verdict.errors ?? [])
    return guard(side.detail, () => {
      detail ??= side.detail.compile(schema)
      detail(value)
      return readViolations(detail.errors ?? [])
    })
  }

  return {
    validate,
    coerce(value) {
      // A string that is valid is kept, even if a number would be valid as well.
      if (validate(value).length === 0) return { value, violations: [] }
      const holder = { value }
      const violations = guard(side.coercion, () => {
        coercion ??= side.coercion.compile(lenient())
        const location = { parentData: holder, parentDataProperty: 'value', rootData: holder }
        const valid = coercion(value, { ...location, instancePath: '', dynamicAnchors: {} })
        return valid ? [] : readViolations(coercion.errors ?? [])
      })
      if (violations.length > 0) return { value: holder.value, violations }
      return { value: holder.value, violations: validate(holder.value) }
    }
  }
}

/** Limits recursion, because validators recurse with the depth of the value and with references. */
function guard(compiler: Compiler, validate: () => Violation[]): Violation[] {
  compiler.restart()
  try {
    return validate()
  } catch (error) {
    if (error instanceof TooManySteps) return [violationOf(TOO_LONG)]
    if (error instanceof RangeError) return [violationOf(TOO_DEEP)]
    throw error
  }
}

function violationOf(message: string): Violation {
  return { path: [], keyword: 'limit', message, params: {} }
}

function holdsMoreThan(value: unknown, limit: number): boolean {
  const open = [value]
  for (let count = 0; open.length > 0; count += 1) {
    if (count > limit) return true
    const next = open.pop()
    if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next)) open.push(inner)
    }
  }
  return false
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
