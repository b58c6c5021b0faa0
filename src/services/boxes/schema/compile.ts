import { createHash } from 'node:crypto'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { addConstAndEnum, addUniqueItems, createAjv } from '../../../kernel/ajv.ts'
import type { Json } from '../../../kernel/json.ts'
import { BudgetSpent, grantBudget, spend } from './budget.ts'
import { withoutInheritedNames } from './inherited-names.ts'
import { createPatterns } from './linear-pattern.ts'
import { type Prepared, prepareSchema, STEP } from './prepare.ts'
import { SchemaRejected } from './rejected.ts'

export { SchemaRejected } from './rejected.ts'

/** One error in the validation of a record. */
export interface Mismatch {
  /** JSON Pointer into the record. */
  readonly path: string
  readonly message: string
}

export interface CompiledSchema {
  /** Empty if the record matches; else some of the mismatches, of a long record the first. */
  check: (value: Json, length: number) => readonly Mismatch[]
}

const MAX_MISMATCHES = 20
/** Longer records are checked up to the first mismatch: they may have hundreds of thousands. */
const MAX_LENGTH_FOR_ALL = 64 * 1024
const MAX_COMPILED = 200
/** Characters of a value that cost one step when values are compared. */
const CHARACTERS_PER_STEP = 16
const TOO_MUCH: readonly Mismatch[] = [
  { path: '', message: 'takes too much work to validate against this schema' }
]

export function digestSchema(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

const compiled = new Map<string, CompiledSchema>()

/** Compiles each text only once; throws SchemaRejected. */
export function compileSchema(digest: string, read: () => Json): CompiledSchema {
  const known = compiled.get(digest)
  if (known !== undefined) return known
  const [oldest] = compiled.keys()
  if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest)
  const schema = compile(read())
  compiled.set(digest, schema)
  return schema
}

export function isCompiled(digest: string): boolean {
  return compiled.has(digest)
}

function compile(schema: Json): CompiledSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'boolean') || schema === null) {
    throw new SchemaRejected('a schema must be an object, true or false')
  }
  const prepared = prepareSchema(schema)
  const validate = createValidator(prepared, false)
  let validateAll: typeof validate | undefined
  return {
    check(value, length) {
      const first = run(validate, value)
      if (first.length === 0 || length > MAX_LENGTH_FOR_ALL) return first
      validateAll ??= createValidator(prepared, true)
      const all = run(validateAll, value)
      return all.length === 0 ? first : all
    }
  }
}

function run(validate: ValidateFunction, value: Json): readonly Mismatch[] {
  grantBudget()
  try {
    if (validate(value) === true) return []
  } catch (error) {
    // A schema that refers to itself may also exceed the stack.
    if (error instanceof BudgetSpent || error instanceof RangeError) return TOO_MUCH
    throw error
  }
  const errors = validate.errors ?? []
  // Otherwise the function keeps the errors in memory.
  validate.errors = null
  return errors.filter(isTelling).slice(0, MAX_MISMATCHES).map(describe)
}

function createValidator({ schema, counted }: Prepared, allErrors: boolean) {
  const objects = objectsIn(schema)
  const ajv = createAjv(createPatterns(), {
    allErrors,
    // By default, JSON Schema 2020-12 treats formats as annotations.
    validateFormats: false,
    code: {
      process(code, evaluated) {
        if (objects.has(evaluated?.schema) && !counted.has(evaluated?.schema)) {
          throw new SchemaRejected('a $ref points to a value that is not a schema')
        }
        return withoutInheritedNames(code)
      }
    }
  })
  ajv.addKeyword({ keyword: STEP, validate: (steps: number) => spend(steps), errors: false })
  // In JSON Schema 2020-12 neither is a keyword.
  ajv.removeKeyword('id')
  ajv.removeKeyword('nullable')
  const countText = (text: string) => spend(text.length / CHARACTERS_PER_STEP)
  addUniqueItems(ajv, { onItem: countText })
  addConstAndEnum(ajv, { onObject: countText, rejectsEmptyEnum: true })
  // The schema is validated against the meta-schema, whose patterns take steps too.
  grantBudget()
  try {
    return ajv.compile(schema as object)
  } catch (error) {
    throw new SchemaRejected(error instanceof Error ? error.message : 'not a schema')
  }
}

function objectsIn(value: Json, found = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return found
  if (!Array.isArray(value)) found.add(value)
  for (const member of Object.values(value)) objectsIn(member, found)
  return found
}

/** False for errors of `if`, which only say that `then` or `else` failed. */
function isTelling({ keyword }: ErrorObject): boolean {
  return keyword !== 'if'
}

function describe({ instancePath, message = 'does not match', params }: ErrorObject): Mismatch {
  const name = params.additionalProperty ?? params.unevaluatedProperty
  return {
    path: instancePath,
    message: typeof name === 'string' ? `${message}: ${name}` : message
  }
}
