import { createHash } from 'node:crypto'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { addUniqueItems, createAjv } from '../../../kernel/ajv.ts'
import type { Json } from '../../../kernel/json.ts'
import { BudgetSpent, grantBudget, spend } from './budget.ts'
import { withoutInheritedNames } from './inherited-names.ts'
import { createPatterns } from './linear-pattern.ts'
import { type Prepared, prepareSchema, STEP } from './prepare.ts'
import { SchemaRejected } from './rejected.ts'

export { SchemaRejected } from './rejected.ts'

/** One place where a record does not fit. */
export interface Mismatch {
  /** JSON Pointer into the record. */
  readonly path: string
  readonly message: string
}

export interface CompiledSchema {
  /** Empty when the record fits; else some of the places, of a long record the first. */
  check: (value: Json, length: number) => readonly Mismatch[]
}

const MAX_MISMATCHES = 20
/** A longer record might not fit in hundreds of thousands of places. */
const MAX_LENGTH_FOR_ALL = 64 * 1024
const MAX_COMPILED = 200
/** Of an item that is compared with others. */
const CHARACTERS_PER_STEP = 16
const TOO_MUCH: readonly Mismatch[] = [
  { path: '', message: 'takes too much work to validate against this schema' }
]

export function digestSchema(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

const compiled = new Map<string, CompiledSchema>()

/** Compiled once for each text; throws SchemaRefused. */
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
    // A schema that refers to itself may also run out of stack.
    if (error instanceof BudgetSpent || error instanceof RangeError) return TOO_MUCH
    throw error
  }
  const errors = validate.errors ?? []
  // Kept by the function for ever otherwise.
  validate.errors = null
  return errors.filter(isTelling).slice(0, MAX_MISMATCHES).map(describe)
}

function createValidator({ schema, counted }: Prepared, allErrors: boolean) {
  const objects = objectsIn(schema)
  const ajv = createAjv(createPatterns(), {
    allErrors,
    // Names of formats are notes, as the specification has it by default.
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
  // In 2020-12 both are words like any other.
  ajv.removeKeyword('id')
  ajv.removeKeyword('nullable')
  addUniqueItems(ajv, { onItem: (item) => spend(item.length / CHARACTERS_PER_STEP) })
  // The schema of schemas has patterns too.
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

/** What only says that something else failed. */
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
