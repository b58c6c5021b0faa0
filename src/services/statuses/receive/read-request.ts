import type { IncomingMessage } from 'node:http'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { createAjv } from '../../../kernel/ajv.ts'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { ImportAborted, ImportInvalid, ImportTooLarge } from '../contract.ts'
import { MAX_BATCH_BYTES } from '../import/protocol.ts'
import { type RequestKind, SCHEMAS } from './schemas.ts'

const NUL = '\u0000'
/** As JSON writes it. */
const ESCAPED_NUL = '\\u0000'

/** Compiled at the first request of each kind; the patterns are our own. */
export function createReader() {
  const validators = new Map<RequestKind, ValidateFunction>()
  const ajv = createAjv((source) => new RegExp(source, 'u'), {})

  function validatorOf(kind: RequestKind): ValidateFunction {
    const known = validators.get(kind) ?? ajv.compile(SCHEMAS[kind])
    validators.set(kind, known)
    return known
  }

  return async function readRequest<T>(request: IncomingMessage, kind: RequestKind): Promise<T> {
    const body = await readRequestBody(request, MAX_BATCH_BYTES, {
      tooLarge: () => new ImportTooLarge(MAX_BATCH_BYTES),
      aborted: () => new ImportAborted()
    })
    const value = parse(body)
    const validate = validatorOf(kind)
    if (!validate(value)) throw new ImportInvalid(describeSchemaError(validate.errors?.[0]))
    return value as T
  }
}

/** PostgreSQL cannot store NUL characters, so they are replaced on both engines. */
function parse(body: Buffer): unknown {
  const text = body.toString()
  try {
    if (!text.includes(ESCAPED_NUL)) return JSON.parse(text)
    return JSON.parse(text, (_name, value) =>
      typeof value === 'string' ? value.replaceAll(NUL, '\ufffd') : value
    )
  } catch {
    throw new ImportInvalid('The body is not JSON')
  }
}

export function describeSchemaError(error: ErrorObject | undefined): string {
  const where = error?.instancePath === '' ? 'The body' : (error?.instancePath ?? '')
  const property = error?.params.additionalProperty
  const which = property === undefined ? '' : ` (${property})`
  return `${where} ${error?.message ?? 'is invalid'}${which}`
}
