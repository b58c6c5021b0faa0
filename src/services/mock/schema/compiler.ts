import type { AnySchemaObject, ValidateFunction } from 'ajv'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { openAjv } from './ajv.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Patterns } from './pattern/pattern.ts'
import type { Reduced } from './reduce.ts'
import type { View } from './view.ts'

/** Purpose of a validator: a quick verdict, all violations, or conversion of strings to values. */
export type Purpose = 'verdict' | 'detail' | 'coercion'

const OPTIONS: Readonly<Record<Purpose, Options>> = {
  verdict: { allErrors: false },
  detail: { allErrors: true },
  coercion: { allErrors: true, coerceTypes: 'array' }
}

/** Code that stops at the first error nests with each keyword; larger schemas exceed the stack. */
const MAX_NESTED = 1000

/**
 * Only references let a small document make validation long: a chain of thirty schemas, each used
 * twice by the next, takes a thousand million steps. So the steps over references are limited.
 */
const MAX_REFERENCES = 1_000_000

export class TooManySteps extends Error {}

export interface Compiler {
  compile: (schema: JsonSchema) => ValidateFunction
  /** For a schema that is not kept. */
  compileOnce: (reduced: Reduced) => ValidateFunction
  /** Called before each validation. */
  restart: () => void
  ajv: () => Ajv2020
}

/** Approximate memory of an empty Ajv, of a validator, and of each schema in it. */
const AJV_BYTES = 400_000
const VALIDATOR_BYTES = 10_000
const SCHEMA_BYTES = 5000
/** Ajv keeps the names and values of each code it generated. */
const ONCE_BYTES = 2000

/** `spend` is called with the approximate number of bytes that a compilation keeps. */
export function createCompiler(
  view: View,
  patterns: Patterns,
  purpose: Purpose,
  spend: (bytes: number) => void
): Compiler {
  let opened: Ajv2020 | undefined
  let flat: Compiler | undefined
  let steps = 0
  const added = new Set<string>()

  function ajv(): Ajv2020 {
    if (opened === undefined) {
      opened = openAjv(patterns, OPTIONS[purpose])
      spend(AJV_BYTES)
    }
    return opened
  }

  /**
   * Ajv compiles a referenced schema during the compilation of the schema that refers to it, and
   * exceeds the stack on a circle of two hundred. So a reference first gets a validator that
   * compiles the schema when a value reaches it.
   */
  function addReference(ref: string): void {
    if (added.has(ref)) return
    added.add(ref)
    const schema = view.resolve(ref)
    ajv().addSchema(schema, ref)
    const entry = ajv().schemas[ref]
    if (entry === undefined) throw new Error(`${ref} was not added`)
    let real: ValidateFunction | undefined
    const deferred: ValidateFunction = Object.assign(
      function validateReference(this: unknown, value: unknown, context: unknown) {
        steps += 1
        if (steps > MAX_REFERENCES) throw new TooManySteps()
        if (real === undefined) {
          delete entry.validate
          real = compile(schema)
          entry.validate = deferred
        }
        const valid: boolean = Reflect.apply(real, this, [value, context])
        deferred.errors = real.errors ?? null
        if (real.evaluated !== undefined) deferred.evaluated = real.evaluated
        return valid
      },
      { schema: schema as AnySchemaObject, schemaEnv: entry }
    ) as ValidateFunction
    entry.validate = deferred
  }

  function compile(schema: JsonSchema): ValidateFunction {
    if (purpose === 'verdict' && view.sizeOf(schema) > MAX_NESTED) {
      flat ??= createCompiler(view, patterns, 'detail', spend)
      return flat.compile(schema)
    }
    for (const ref of view.refsOf(schema)) addReference(ref)
    spend(VALIDATOR_BYTES + view.sizeOf(schema) * SCHEMA_BYTES)
    return ajv().compile(schema as AnySchemaObject | boolean)
  }

  function compileOnce({ schema, refs }: Reduced): ValidateFunction {
    for (const ref of refs) addReference(ref)
    spend(ONCE_BYTES)
    const validate = ajv().compile(schema as AnySchemaObject | boolean)
    if (typeof schema === 'object') ajv().removeSchema(schema)
    return validate
  }

  function restart(): void {
    steps = 0
    flat?.restart()
  }

  return { compile, compileOnce, restart, ajv }
}
