import type { ValidateFunction } from 'ajv'
import type { Tools } from './accepts.ts'
import { type Compiler, TooManySteps } from './compiler.ts'
import type { JsonSchema } from './json-schema.ts'
import { isWide, reduceFor } from './reduce.ts'
import type { View } from './view.ts'
import { readViolations, type Violation } from './violation.ts'

export interface Compiled {
  /** Returns an empty array if the value is valid. The value is not modified. */
  validate: (value: unknown) => Violation[]
  /** Compiles the schema, which otherwise happens when a value needs it. */
  compile: () => void
  /**
   * For parameters and form fields: converts strings to numbers, booleans, null or arrays as the
   * schema requires. Objects and arrays inside `value` are modified in place.
   */
  coerce: (value: unknown) => { value: unknown; violations: Violation[] }
}

/** Compilers of one side, request or response. */
export interface Compilers {
  view: View
  lenient: View
  verdict: Compiler
  detail: Compiler
  coercion: Compiler
}

/** For a value that contains more values than this, only the first violation is reported. */
const MAX_DETAILED_VALUES = 50_000

/**
 * Compiling takes a quarter of a millisecond and some kilobytes for each schema, so valid values of
 * schemas larger than this, and the first ones of others, are recognised without it.
 */
export const LARGE = 150
const FIRST_VALUES = 2

/** Number of violations of a wide schema that are reported; more would take long to compile. */
const MAX_WIDE_VIOLATIONS = 50

/** A validator that is called with the value only. */
type Verdict = ((value: unknown) => boolean) & Pick<ValidateFunction, 'errors'>

const ANYTHING: Verdict = () => true

const TOO_DEEP = 'is nested too deeply to be validated'
const TOO_LONG = 'takes too many steps to be validated'

export interface CompiledOptions {
  isQuicklyValid: (value: unknown) => boolean
  /** For a check without compiling; throws `TooManySteps`. */
  tools: (view: View) => Tools & { view: View }
  /** Called if the schema cannot be compiled; then every value is valid. */
  failed: (error: unknown) => void
}

export function createCompiled(
  side: Compilers,
  schema: JsonSchema,
  lenient: () => JsonSchema,
  { isQuicklyValid, tools, failed }: CompiledOptions
): Compiled {
  let quickValues = side.view.sizeOf(schema) > LARGE ? Number.POSITIVE_INFINITY : FIRST_VALUES
  let verdict: Verdict | undefined
  let detail: ValidateFunction | undefined
  let coercion: ValidateFunction | undefined
  let wide: boolean | undefined

  function isTooWide(): boolean {
    wide ??= isWide(side.view, schema)
    return wide
  }

  function compile(): Verdict {
    try {
      verdict ??= side.verdict.compile(schema)
    } catch (error) {
      failed(error)
      verdict = ANYTHING
    }
    return verdict
  }

  /** Without compiling if the schema is large or one of its first values is checked. */
  function isValid(value: unknown): boolean {
    if (verdict === undefined && (quickValues > 0 || isTooWide())) {
      quickValues -= 1
      return isQuicklyValid(value)
    }
    return (
      guard(side.verdict, () => (compile()(value) ? [] : [violationOf('verdict')])).length === 0
    )
  }

  function validate(value: unknown): Violation[] {
    if (verdict === undefined && isValid(value)) return []
    if (verdict === undefined && isTooWide()) {
      const violations = describeWide(value)
      if (violations.length > 0) return violations
    }
    return guard(side.verdict, () => (compile()(value) ? [] : describe(value)))
  }

  /** Compiles only what the value violates; empty if that takes too many steps to find. */
  function describeWide(value: unknown): Violation[] {
    const most = holdsMoreThan(value, MAX_DETAILED_VALUES) ? 1 : MAX_WIDE_VIOLATIONS
    return guard(side.detail, () => {
      const check = compilePart(side.detail, side.view, schema, value, most)
      return check === undefined || check(value) ? [] : readViolations(check.errors ?? [])
    })
  }

  function compilePart(
    compiler: Compiler,
    view: View,
    whole: JsonSchema,
    value: unknown,
    most: number
  ): ValidateFunction | undefined {
    try {
      return compiler.compileOnce(reduceFor(value, whole, tools(view), most))
    } catch (error) {
      if (error instanceof TooManySteps || error instanceof RangeError) return undefined
      throw error
    }
  }

  function compileCoercion(value: unknown): ValidateFunction {
    if (coercion === undefined && isTooWide()) {
      const part = compilePart(
        side.coercion,
        side.lenient,
        lenient(),
        value,
        Number.POSITIVE_INFINITY
      )
      if (part !== undefined) return part
    }
    coercion ??= side.coercion.compile(lenient())
    return coercion
  }

  function describe(value: unknown): Violation[] {
    if (holdsMoreThan(value, MAX_DETAILED_VALUES)) return readViolations(verdict?.errors ?? [])
    return guard(side.detail, () => {
      detail ??= side.detail.compile(schema)
      detail(value)
      return readViolations(detail.errors ?? [])
    })
  }

  return {
    validate,
    compile,
    coerce(value) {
      // A string that is valid is kept, even if a number would be valid as well.
      if (isValid(value)) return { value, violations: [] }
      const holder = { value }
      const violations = guard(side.coercion, () => {
        const check = compileCoercion(value)
        const location = { parentData: holder, parentDataProperty: 'value', rootData: holder }
        const valid = check(value, { ...location, instancePath: '', dynamicAnchors: {} })
        return valid ? [] : readViolations(check.errors ?? [])
      })
      if (violations.length > 0) return { value: holder.value, violations }
      return { value: holder.value, violations: validate(holder.value) }
    }
  }
}

/** Limits recursion, because validators recurse with the depth of the value and with references. */
export function guard(compiler: Compiler, validate: () => Violation[]): Violation[] {
  compiler.restart()
  try {
    return validate()
  } catch (error) {
    if (error instanceof TooManySteps) return [violationOf(TOO_LONG)]
    if (error instanceof RangeError) return [violationOf(TOO_DEEP)]
    throw error
  }
}

export function violationOf(message: string): Violation {
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
