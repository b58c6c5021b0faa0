import type { IncomingMessage } from 'node:http'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { createAjv, OWN_SCHEMAS } from '../ajv.ts'
import { readRequestBody } from '../request-body.ts'

const NUL = '\u0000'
/** As JSON writes it. */
const ESCAPED_NUL = '\\u0000'

export interface ReaderOptions<Kind extends string> {
  /** Schemas of the requests; they are not checked themselves. */
  readonly schemas: Readonly<Record<Kind, object>>
  readonly maxBytes: number
  readonly errors: {
    readonly tooLarge: (maxBytes: number) => Error
    readonly aborted: () => Error
    readonly invalid: (problem: string) => Error
  }
}

export type ReadRequest<Kind extends string> = <T>(
  request: IncomingMessage,
  kind: Kind
) => Promise<T>

/** Schemas are compiled at the first request of each kind, once for all services of the process. */
let sharedAjv: Ajv2020 | undefined

/** Reads JSON of a few known kinds. */
export function createRequestReader<Kind extends string>({
  schemas,
  maxBytes,
  errors
}: ReaderOptions<Kind>): ReadRequest<Kind> {
  return async function readRequest<T>(request: IncomingMessage, kind: Kind): Promise<T> {
    const body = await readRequestBody(request, maxBytes, {
      tooLarge: () => errors.tooLarge(maxBytes),
      aborted: errors.aborted
    })
    const value = parseStorable(body)
    if (value === undefined) throw errors.invalid('The body is not JSON')
    const validate = validatorOf(schemas[kind])
    if (!validate(value)) throw errors.invalid(describeSchemaError(validate.errors?.[0]))
    return value as T
  }
}

/** Ajv keeps the validator of each schema. */
function validatorOf(schema: object): ValidateFunction {
  // The patterns of schemas are our own.
  sharedAjv ??= createAjv((source) => new RegExp(source, 'u'), OWN_SCHEMAS)
  return sharedAjv.compile(schema)
}

/** Undefined if it is not JSON. PostgreSQL cannot store NUL, so it is replaced on both engines. */
function parseStorable(body: Buffer): unknown {
  const text = body.toString()
  try {
    if (!text.includes(ESCAPED_NUL)) return JSON.parse(text)
    return JSON.parse(text, (_name, value) =>
      typeof value === 'string' ? value.replaceAll(NUL, '\ufffd') : value
    )
  } catch {
    return undefined
  }
}

export function describeSchemaError(error: ErrorObject | undefined): string {
  const where = error?.instancePath === '' ? 'The body' : (error?.instancePath ?? '')
  const property = error?.params.additionalProperty
  const which = property === undefined ? '' : ` (${property})`
  return `${where} ${error?.message ?? 'is invalid'}${which}`
}
