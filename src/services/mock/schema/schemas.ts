import type { ValidateFunction } from 'ajv'
import { accepts, type Tools } from './accepts.ts'
import {
  type Compiled,
  type Compilers,
  createCompiled,
  guard,
  LARGE,
  violationOf
} from './compiled.ts'
import { type Compiler, createCompiler, TooManySteps } from './compiler.ts'
import { createFormatCheck } from './formats.ts'
import type { Side } from './hidden.ts'
import { withInheritedUnions } from './inherited-unions.ts'
import type { JsonSchema } from './json-schema.ts'
import { createPatterns, type Patterns } from './pattern/pattern.ts'
import { isWide } from './reduce.ts'
import { createView, type View } from './view.ts'
import type { Violation } from './violation.ts'

export type { Compiled, Side, View, Violation }

export interface Problem {
  pointer: string
  message: string
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
  /**
   * New validators for the same document, so that these can be freed. `spend` is called with the
   * approximate number of bytes that each of them keeps.
   */
  renew: (spend: (bytes: number) => void) => Schemas
}

interface OneSide extends Compilers {
  plainView: View
  plain: Compiler
}

const MAX_QUICK_STEPS = 200_000

interface Shared {
  patterns: Patterns
  problems: Map<string, Problem>
  /** The first view of each side, which has seen all schemas of a document that was checked. */
  views: Partial<Record<Side, View>>
}

/** Validators for one OpenAPI 3.1 document, each compiled on first use. */
export function createSchemas(document: object): Schemas {
  const shared = { patterns: createPatterns(), problems: new Map(), views: {} }
  return openSchemas(withInheritedUnions(document), shared, () => {})
}

function openSchemas(document: object, shared: Shared, spend: (bytes: number) => void): Schemas {
  const { patterns, problems } = shared
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
    sides[name] ??= openSide(document, name, shared, report, spend)
    return sides[name]
  }

  function prepare(
    one: OneSide,
    schema: JsonSchema,
    pointer: string,
    lenient: () => JsonSchema
  ): Found {
    const compiled = createCompiled(one, schema, lenient, {
      isQuicklyValid: (value) => isQuicklyValid(one.view, schema, value),
      tools: toolsOf,
      failed: (error) => report(pointer, `cannot be compiled: ${messageOf(error)}`)
    })
    return { ok: true, compiled }
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
          : prepare(one, schema, pointer, () => one.lenient.at(pointer) ?? true)
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
      if (options.compile) compileAt(location.pointer, location.side)
    }
    for (const name of ['request', 'response'] as const) {
      for (const ref of reached[name]) {
        const { view } = side(name)
        for (const next of view.refsOf(view.resolve(ref))) reached[name].add(next)
        if (options.compile) compileAt(ref, name)
      }
    }
    return [...problems.values()]
  }

  function isRewritten(name: Side): boolean {
    return side(name).view.isRewritten() || shared.views[name]?.isRewritten() === true
  }

  function compileAt(pointer: string, name: Side): void {
    const response = find(pointer, name)
    if (response.ok) response.compiled.compile()
  }

  /** False if the check takes too many steps. */
  function isQuicklyValid(view: View, schema: JsonSchema, value: unknown): boolean {
    try {
      return accepts(schema, value, toolsOf(view))
    } catch (error) {
      if (error instanceof TooManySteps || error instanceof RangeError) return false
      throw error
    }
  }

  function toolsOf(view: View): Tools & { view: View } {
    let steps = 0
    function count(more: number): void {
      steps += more
      if (steps > MAX_QUICK_STEPS) throw new TooManySteps()
    }
    return { view, patterns, hasFormat: checkFormat, spend: count }
  }

  function checkFormat(format: string, value: unknown): boolean {
    hasFormat ??= createFormatCheck()
    return hasFormat(format, value)
  }

  function isPlainlyValid(pointer: string, name: Side, value: unknown): boolean {
    const key = `${name} ${pointer}`
    const { plain, plainView } = side(name)
    if (!isRewritten(name)) return true
    const schema = plainView.at(pointer) ?? true
    let validate = plainly.get(key)
    if (validate === undefined) {
      const wide = isWide(plainView, schema)
      if (wide || plainView.sizeOf(schema) > LARGE) {
        const quick = isQuicklyValid(plainView, schema, value)
        if (wide || quick) return quick
      }
      validate = plain.compile(schema)
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
      return prepare(one, one.view.adopt(schema, pointer), pointer, lenient)
    },
    checkAll,
    problems: () => [...problems.values()],
    view: (name) => side(name).plainView,
    isPlainlyValid,
    isPlain: (name) => !isRewritten(name),
    patterns,
    hasFormat: checkFormat,
    renew: (spendMore) => openSchemas(document, shared, spendMore)
  }
}

function openSide(
  document: object,
  side: Side,
  { patterns, views }: Shared,
  report: (pointer: string, message: string) => void,
  spend: (bytes: number) => void
): OneSide {
  const view = createView(document, { side, discriminated: true, patterns, report })
  views[side] ??= view
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
    verdict: createCompiler(view, patterns, 'verdict', spend),
    detail: createCompiler(view, patterns, 'detail', spend),
    lenient,
    coercion: createCompiler(lenient, patterns, 'coercion', spend),
    plainView,
    plain: createCompiler(plainView, patterns, 'verdict', spend)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
